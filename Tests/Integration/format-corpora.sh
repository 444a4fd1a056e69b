#!/usr/bin/env bash
# Formats the documents and schemas of public projects, and checks that this changes neither their trees nor their
# comments, and that formatting them again changes nothing.
#
# usage: format-corpora.sh [BATON [SHARED]]
#
# BATON is the built compiler, by default this package's; SHARED is the folder with `corpora` and `applications`, by
# default ../shared beside the package. Without that folder there is nothing to do, and the script says so.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
baton=$(realpath "${1:-$root/.build/debug/baton}")
shared=${2:-$root/../shared}
if [ ! -d "$shared/corpora" ]; then
    echo "no corpora at $shared: nothing formatted"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/before" "$scratch/after"
for folder in "$shared"/corpora/*/ "$shared"/applications/*/; do
    name=$(basename "$folder")
    mkdir "$scratch/before/$name"
    (cd "$folder" && find . -name '*.graphql' -print0 | xargs -0 cp --parents -t "$scratch/before/$name")
done
cp -R "$scratch/before/." "$scratch/after"
cd "$scratch/after"

# Templates with holes and other files with syntax errors are reported and stay as they are.
status=0
timeout 300 "$baton" format . > "$scratch/output.txt" 2> "$scratch/errors.txt" || status=$?
summary=$(tail -1 "$scratch/output.txt")
if [ "$status" -gt 1 ]; then
    cat "$scratch/errors.txt" >&2
    exit 1
fi
again=$(timeout 300 "$baton" format . 2> /dev/null || true)
case $again in
    "0 formatted, "*) ;;
    *)
        echo "formatting again changes files: $again" | head -20 >&2
        exit 1
        ;;
esac

# The tokens and the comments are the same, but for commas, block strings and separators in front of first members.
python3 "$root/Tests/Integration/same-tokens.py" "$scratch/before" "$scratch/after"
echo "$summary"
