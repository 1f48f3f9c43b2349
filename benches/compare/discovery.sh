#!/usr/bin/env bash
# Finds all GEMINI.md below DIR with fd, rg and ours, in rounds that take turns, and prints medians,
# ratios, and whether all found the same files. Ours is the whole program in a trusted folder: it also
# tells git states, reads what is loaded, and writes JSON.
#
#   benches/compare/discovery.sh DIR [ROUNDS]
#
# TIERBOARD names the binary (default: target/release/tierboard below this repository).
set -euo pipefail

dir=$(realpath -- "${1:?usage: discovery.sh DIR [ROUNDS]}")
rounds=${2:-15}
here=$(dirname -- "$(realpath -- "$0")")
ours=${TIERBOARD:-$here/../../target/release/tierboard}
fd=$(command -v fdfind || command -v fd) || { echo "fd is needed (Debian: fd-find)" >&2; exit 2; }
rg=$(command -v rg) || { echo "rg is needed (Debian: ripgrep)" >&2; exit 2; }
[ -x "$ours" ] || { echo "$ours is missing: cargo build --release" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# The memory and settings of whoever runs this must not matter.
mkdir "$work/home"
export HOME=$work/home LC_ALL=C
for name in $(compgen -e | grep '^GEMINI_' || true); do unset "$name"; done

names=(ours fd-H fd-HI rg-hidden)
run() {
  case $1 in
    ours) "$ours" layers --json --trust assume "$dir" ;;
    fd-H) "$fd" -H -g GEMINI.md "$dir" ;;
    fd-HI) "$fd" -HI -g GEMINI.md "$dir" ;;
    rg-hidden) "$rg" --files --hidden -g GEMINI.md "$dir" ;;
  esac
}

# What was found, one path a line.
hits() {
  case $1 in
    ours) grep -o "\"path\": *\"$dir/[^\"]*GEMINI\\.md\"" "$work/$1.out" | sed 's/^"path": *"//; s/"$//' ;;
    *) cat "$work/$1.out" ;;
  esac | sort -u
}

# The first round warms the caches and isn't counted.
for ((round = 0; round <= rounds; round++)); do
  for name in "${names[@]}"; do
    start=${EPOCHREALTIME/./}
    run "$name" > "$work/$name.out"
    end=${EPOCHREALTIME/./}
    [ "$round" -eq 0 ] || echo $((end - start)) >> "$work/$name.times"
  done
done

median() { sort -n "$work/$1.times" | sed -n "$(((rounds + 1) / 2))p"; }
base=$(median ours)
hits ours > "$work/ours.hits"
status=0
printf '%-10s %9s %9s %9s %7s  %s\n' what 'median ms' 'min ms' 'max ms' ratio 'same hits'
for name in "${names[@]}"; do
  hits "$name" > "$work/$name.hits"
  same=yes
  cmp -s "$work/ours.hits" "$work/$name.hits" || { same=NO; status=1; }
  awk -v name="$name" -v median="$(median "$name")" -v base="$base" -v same="$same" \
    -v min="$(sort -n "$work/$name.times" | head -1)" -v max="$(sort -n "$work/$name.times" | tail -1)" \
    'BEGIN { printf "%-10s %9.1f %9.1f %9.1f %6.2fx  %s\n", name, median/1000, min/1000, max/1000, median/base, same }'
done
echo "$(wc -l < "$work/ours.hits") hits, $rounds rounds, $(nproc) cores"
exit "$status"
