#!/usr/bin/env bash
# Plays an event in one piece and in four parts by GNU parallel, as docs/cluster.md shows it, and
# compares the reports. Argument: the binary.
set -euo pipefail
chuhe=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >event.toml <<END
event = "parts"
games = 16
tc = "5+0.1"
seed = 5
max_plies = 40
[openings]
source = "random:6"
[[engine]]
name = "A"
cmd = "$chuhe"
args = ["mock-engine", "--resign-chance", "3"]
[[engine]]
name = "B"
cmd = "$chuhe"
args = ["mock-engine", "--resign-chance", "4", "--seed", "2", "--proto", "ucci"]
[[engine]]
name = "C"
cmd = "$chuhe"
args = ["mock-engine", "--resign-chance", "5", "--seed", "3", "--proto", "fsf"]
END
"$chuhe" match --config event.toml --state whole.state --quiet >/dev/null
PATH=$(dirname "$chuhe"):$PATH
parallel --will-cite --jobs 2 \
    chuhe match --config event.toml --shard {}/4 --state part-{}.state --quiet ::: 1 2 3 4 >/dev/null
chuhe match merge part-*.state >parts.txt
chuhe match merge whole.state >whole.txt
diff whole.txt parts.txt
grep -q '48 games' parts.txt
echo "parallel_shards: four parts by GNU parallel give the report of the whole"
