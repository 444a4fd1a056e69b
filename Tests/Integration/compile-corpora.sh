#!/usr/bin/env bash
# Compiles the valid documents of public schemas and whole applications, and type-checks the Swift generated for them without warnings.
#
# usage: compile-corpora.sh [BATON [CORPORA]]
#
# BATON is the built compiler, by default this package's; CORPORA is the folder of schemas and documents, by default ../shared/corpora beside the
# package. Without that folder there is nothing to do, and the script says so. Needs a Swift toolchain and nothing else.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -gt 0 ]; then
    baton=$(realpath "$1")
else
    swift build --package-path "$root" --product baton > /dev/null
    baton=$(swift build --package-path "$root" --show-bin-path)/baton
fi
corpora=${2:-$root/../shared/corpora}
if [ ! -d "$corpora" ]; then
    echo "no corpora at $corpora: nothing compiled"
    exit 0
fi
corpora=$(cd "$corpora" && pwd)
scratch=${BATON_CORPORA_SCRATCH:-$(mktemp -d)}
[ -n "${BATON_CORPORA_SCRATCH:-}" ] || trap 'rm -rf "$scratch"' EXIT

total=0
compiled=(
    github-octokit linear relay-ex-issue-tracker relay-ex-newsfeed relay-ex-todo saleor-dashboard shopify-storefront
)
# The fragments that a corpus lacks. With them its documents are all valid.
declare -A lacking=([relay-ex-newsfeed]='fragment ImageFragment on Image { url }')
for name in "${compiled[@]}"; do
    folder=$scratch/$name
    mkdir -p "$folder/Sources/Generated"
    excluded=$(awk -F '\t' -v folder="$corpora/$name/documents" \
        'NR > 1 && $2 != "valid" { printf "%s\"%s/%s\"", separator, folder, $1; separator = ", " }' \
        "$corpora/$name/expected.tsv")
    added=
    if [ -n "${lacking[$name]:-}" ]; then
        excluded=
        mkdir -p "$folder/lacking"
        echo "${lacking[$name]}" > "$folder/lacking/fragments.graphql"
        added=", \"$folder/lacking/*.graphql\""
    fi
    cat > "$folder/baton.json" <<JSON
{
  "schema": ["$corpora/$name/schema.graphql"],
  "documents": ["$corpora/$name/documents/*.graphql"$added],
  "exclude": [$excluded],
  "output": "Sources/Generated/__generated__",
  "access": "public"
}
JSON
    count=$(awk -F '\t' 'NR > 1 && $2 == "valid"' "$corpora/$name/expected.tsv" | wc -l)
    there=$(find "$corpora/$name/documents" -name '*.graphql' | wc -l)
    listed=$(awk 'NR > 1 && NF' "$corpora/$name/expected.tsv" | wc -l)
    if [ "$count" -eq 0 ] || [ "$there" -ne "$listed" ]; then
        echo "$name: $there documents, but expected.tsv lists $listed, $count of them valid" >&2
        exit 1
    fi
    [ -z "$added" ] || count=$there
    if ! "$baton" compile --config "$folder/baton.json" > "$folder/output.txt" 2> "$folder/errors.txt"; then
        grep -A 4 'error:' "$folder/errors.txt" | head -40 >&2 || cat "$folder/errors.txt" >&2
        echo "$name does not compile" >&2
        exit 1
    fi
    total=$((total + count))
    echo "$name: $count documents, $(tail -1 "$folder/output.txt")"
done
echo "$total documents compile"

# Whole applications, in which nothing is refused.
for folder in "$corpora"/../applications/*/; do
    [ -d "$folder/documents" ] || continue
    application=$(cd "$folder" && pwd)
    name=$(basename "$application")
    mkdir -p "$scratch/$name"
    cat > "$scratch/$name/baton.json" <<JSON
{
  "schema": ["$application/schema.graphql"],
  "documents": ["$application/documents/*.graphql"],
  "output": "Sources/Generated/__generated__"
}
JSON
    if ! "$baton" compile --config "$scratch/$name/baton.json" > "$scratch/$name/output.txt" 2> "$scratch/$name/errors.txt"; then
        grep -A 4 'error:' "$scratch/$name/errors.txt" | head -40 >&2 || cat "$scratch/$name/errors.txt" >&2
        echo "$name does not compile" >&2
        exit 1
    fi
    compiled+=("$name")
    echo "$name: $(tail -1 "$scratch/$name/output.txt")"
done

# The Swift of each project is one module, and a warning fails it.
modules=$(dirname "$baton")/Modules
if [ ! -e "$modules/Baton.swiftmodule" ]; then
    swift build --package-path "$root" --target Baton > /dev/null
    modules=$(swift build --package-path "$root" --show-bin-path)/Modules
fi
for name in "${compiled[@]}"; do
    folder=$scratch/$name
    find "$folder" -name '*.graphql.swift' | sort > "$folder/files.txt"
    if ! swiftc -typecheck -wmo -warnings-as-errors -swift-version 6 -parse-as-library -module-name Generated -I "$modules" \
        "@$folder/files.txt" > "$folder/build.txt" 2>&1; then
        grep -E 'error:' "$folder/build.txt" | sort -u | head -40 >&2
        echo "the Swift generated for $name has errors or warnings" >&2
        exit 1
    fi
    echo "the Swift generated for $name, $(wc -l < "$folder/files.txt") files, has neither errors nor warnings"
done
