"use strict";
// Appended to a page of `chuhe analyze --html` by page.sh: uses it as a reader would and writes
// what is wrong, or OK, into the document.
const faults = [];
const check = (what, ok) => { if (!ok) faults.push(what); };
const key = k => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
const at = () => +document.body.dataset.ply;
const texts = id => document.getElementById(id).textContent;
try {
  const n = game.moves.length;
  check("32 pieces at the start", document.querySelectorAll("#pieces text").length === 32);
  check("river", texts("board").includes("楚河") && texts("board").includes("漢界"));
  check("starts at 0", at() === 0);
  check("arrow of the best move", document.querySelectorAll("#arrows path").length >= 1);
  key("ArrowRight");
  check("arrow key goes on", at() === 1);
  key("End");
  check("End", at() === n);
  key("ArrowLeft");
  check("left", at() === n - 1);
  key("Home");
  check("Home", at() === 0);
  key("ArrowDown");
  check("down goes to the blunder", game.moves[at() - 1].mark === "??" || game.moves[at() - 1].mark === "?" || game.moves[at() - 1].mark === "?!");
  const mistake = at();
  check("the loss is said", /%/.test(texts("said")));
  key("v");
  check("v shows the better line", document.body.dataset.branch === "1" && at() === mistake - 1);
  key("ArrowRight");
  check("the line goes on", document.body.dataset.branch === "2");
  key("Escape");
  check("Escape leaves it", document.body.dataset.branch === "");
  const box = document.getElementById("graph").getBoundingClientRect();
  document.getElementById("graph").dispatchEvent(new MouseEvent("click", {clientX: box.right - 1, clientY: box.top + 5}));
  check("a click on the graph", at() === n);
  document.querySelector("#moves button").click();
  check("a click on a move", at() === 1);
  check("Chinese moves", /[一二三四五六七八九]/.test(texts("moves")));
  for (const [name, look] of [["wxf", /[A-Z][0-9+-][=+.-]/], ["iccs", /[A-I][0-9]-[A-I][0-9]/]]) {
    const select = document.getElementById("notation");
    select.value = name;
    select.dispatchEvent(new Event("change"));
    check(name, look.test(texts("moves")));
  }
  check("coordinates of ICCS", texts("coordinates").startsWith("A"));
  document.getElementById("notation").value = "zh";
  key("f");
  check("turned board", xy("a0")[0] === 540);
  key("f");
  const old = document.documentElement.dataset.theme;
  key("t");
  check("dark and light", document.documentElement.dataset.theme !== old);
  key("t");
  if (games.length > 1) {
    document.getElementById("game").value = 1;
    document.getElementById("game").dispatchEvent(new Event("change"));
    check("the second game", at() === 0);
    key("End");
    check("rules are explained", texts("said").includes("长捉"));
  }
  check("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth + 1);
} catch (e) {
  faults.push(String(e));
}
const result = document.createElement("pre");
result.id = "check";
result.textContent = faults.length ? "FAULTS: " + faults.join("; ") : "CHECK-OK";
document.body.append(result);
