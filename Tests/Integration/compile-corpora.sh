#!/usr/bin/env bash
# Compiles the valid documents of public schemas, sees that what is not supported yet is refused, and builds the Swift
# generated for one of them without warnings.
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
for name in linear saleor-dashboard shopify-storefront; do
    folder=$scratch/$name
    mkdir -p "$folder/Sources/Generated"
    excluded=$(awk -F '\t' -v folder="$corpora/$name/documents" \
        'NR > 1 && $2 != "valid" { printf "%s\"%s/%s\"", separator, folder, $1; separator = ", " }' \
        "$corpora/$name/expected.tsv")
    cat > "$folder/baton.json" <<JSON
{
  "schema": ["$corpora/$name/schema.graphql"],
  "documents": ["$corpora/$name/documents/*.graphql"],
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
    if ! "$baton" compile --config "$folder/baton.json" > "$folder/output.txt" 2> "$folder/errors.txt"; then
        grep -A 4 'error:' "$folder/errors.txt" | head -40 >&2 || cat "$folder/errors.txt" >&2
        echo "$name does not compile" >&2
        exit 1
    fi
    total=$((total + count))
    echo "$name: $count documents, $(tail -1 "$folder/output.txt")"
done
echo "$total documents compile"

# Applications made with Relay use directives that are not carried out yet: `validate` accepts them, and `compile` says which.
for name in relay-ex-todo relay-ex-issue-tracker; do
    folder=$scratch/$name
    mkdir -p "$folder"
    excluded=$(awk -F '\t' -v folder="$corpora/$name/documents" \
        'NR > 1 && $2 != "valid" { printf "%s\"%s/%s\"", separator, folder, $1; separator = ", " }' \
        "$corpora/$name/expected.tsv")
    cat > "$folder/baton.json" <<JSON
{
  "schema": ["$corpora/$name/schema.graphql"],
  "documents": ["$corpora/$name/documents/*.graphql"],
  "exclude": [$excluded]
}
JSON
    if ! "$baton" validate --config "$folder/baton.json" > "$folder/output.txt" 2>&1; then
        grep -A 4 'error:' "$folder/output.txt" | head -40 >&2
        echo "$name is not valid" >&2
        exit 1
    fi
    if "$baton" compile --config "$folder/baton.json" > "$folder/output.txt" 2>&1; then
        echo "$name compiles: give it a place among those above" >&2
        exit 1
    fi
    if grep 'error:' "$folder/output.txt" | grep -vE '\[unsupported-(directive|field)\]$' >&2; then
        echo "$name has other errors than what is not supported yet" >&2
        exit 1
    fi
    if [ -n "$(find "$folder" -name '*.graphql.swift')" ]; then
        echo "$name is refused, and files were written" >&2
        exit 1
    fi
    echo "$name: valid, and refused for $(grep -c 'error:' "$folder/output.txt") places that are not supported yet"
done

package=$scratch/shopify-storefront
cat > "$package/Package.swift" <<SWIFT
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "generated",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "baton", path: "$root")],
    targets: [.target(name: "Generated", dependencies: [.product(name: "Baton", package: "baton")])],
    swiftLanguageModes: [.v6]
)
SWIFT
if ! swift build --package-path "$package" > "$package/build.txt" 2>&1; then
    grep -E 'error:' "$package/build.txt" | sort -u | head -40 >&2
    echo "the Swift generated for shopify-storefront does not build" >&2
    exit 1
fi
if grep -E 'Sources/Generated.*warning:' "$package/build.txt" | sort -u >&2; then
    echo "the Swift generated for shopify-storefront builds with warnings" >&2
    exit 1
fi
echo "the Swift generated for shopify-storefront builds without warnings"
