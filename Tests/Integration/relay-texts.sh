#!/usr/bin/env bash
# Compares the texts of a whole application with those that Relay's compiler sends for it, byte for byte.
#
# usage: relay-texts.sh [BATON [APPLICATIONS]]
#
# BATON is the built compiler, by default this package's; APPLICATIONS is the folder of applications, by default ../shared/applications beside
# the package. Without that folder there is nothing to do, and the script says so. Needs Python; graphql-core is
# installed beside the scripts that use it.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -gt 0 ]; then
    baton=$(realpath "$1")
else
    swift build --package-path "$root" --product baton > /dev/null
    baton=$(swift build --package-path "$root" --show-bin-path)/baton
fi
applications=${2:-$root/../shared/applications}
if [ ! -d "$applications" ]; then
    echo "no applications at $applications: nothing compared"
    exit 0
fi
applications=$(cd "$applications" && pwd)
compare=$applications/../tools/operations_equal.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for folder in "$applications"/*/; do
    name=$(basename "$folder")
    mkdir -p "$scratch/$name"
    cp "$folder"/expected-operations/*.graphql "$scratch/$name/"
    names=$(cd "$scratch/$name" && ls | sed 's/\.graphql$//')
    # shellcheck disable=SC2086
    "$baton" print operations $names --schema "$folder/schema.graphql" --documents "$folder/documents" --format json \
        > "$scratch/$name.json" 2> "$scratch/$name.errors" || { grep -A 4 'error:' "$scratch/$name.errors" >&2; exit 1; }
    "$root/Tests/Integration/graphql-core/python" "$compare" "$scratch/$name" "$scratch/$name.json" \
        --schema "$folder/schema.graphql" --documents "$folder/documents" > "$scratch/$name.txt" || true
    count=$(ls "$scratch/$name" | wc -l)
    if ! grep -Eq "^byte equal +$count +100" "$scratch/$name.txt"; then
        head -40 "$scratch/$name.txt" >&2
        echo "$name: not every text is Relay's" >&2
        exit 1
    fi
    echo "$name: $count texts are Relay's byte for byte"
done
