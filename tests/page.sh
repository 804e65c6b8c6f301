#!/bin/sh
# Analyses two small games, opens the page in a headless Chromium at the widths of a desk and of
# a phone, uses it by keyboard and clicks (page_check.js), and takes pictures in light and dark.
# Usage: tests/page.sh PATH-OF-CHUHE FOLDER-FOR-PICTURES
set -eu
chuhe=$1
out=$2
here=$(dirname "$0")
browser=${CHROMIUM:-chromium}
mkdir -p "$out"
cat > "$out/games.pgn" <<'GAMES'
[Event "测试"]
[Red "甲 </script><b>"]
[Black "乙"]

1. 炮二平五 马8进7 2. 炮五进四 {贪吃中卒} (2. 马二进三 车9平8 3. 车一平二) 马7进5
3. 马二进三 炮2平5 4. 车一平二 车9平8 5. 车二进六 马2进3 1-0

[Red "车"]
[FEN "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w"]

i1g1 g5i7 g1i1 i7g5 i1g1 g5i7 g1i1 i7g5 *
GAMES
"$chuhe" analyze "$out/games.pgn" --depth 8 --html "$out/page.html" > "$out/table.txt"
if grep -Eq '(src|href)="?https?:' "$out/page.html"; then
    echo "the page fetches something" >&2
    exit 1
fi
{
    cat "$out/page.html"
    echo '<script>'
    cat "$here/page_check.js"
    echo '</script>'
} > "$out/check.html"
url=file://$(cd "$out" && pwd)
shoot() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 "$@" 2> /dev/null
}
for size in 1200,900 500,900; do
    found=$(shoot --window-size=$size --dump-dom "$url/check.html" | grep -o '<pre id="check">[^<]*' || true)
    case $found in
        *CHECK-OK*) echo "$size: ok" ;;
        *) echo "$size: ${found:-the page did not come up}" >&2; exit 1 ;;
    esac
done
shoot --window-size=1200,1000 --screenshot="$out/light.png" "$url/page.html?theme=light&ply=3" > /dev/null
shoot --window-size=1200,1000 --screenshot="$out/dark.png" "$url/page.html?theme=dark&ply=3" > /dev/null
shoot --window-size=500,1300 --screenshot="$out/phone.png" "$url/page.html?theme=light&ply=3" > /dev/null
