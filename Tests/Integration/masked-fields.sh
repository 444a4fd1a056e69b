#!/usr/bin/env bash
# Shows that code reads what it selected and nothing else: each file in masked-fields is checked together with the generated
# code of Tests/GeneratedCodeTests. A line with a comment `// error: TEXT` or `// warning: TEXT` must give that text; a file
# without such a line must compile without a warning. Any other error or warning fails too.
#
# usage: masked-fields.sh [--modules FOLDER] [NAME...]     all files if none is named; of a build that stands if FOLDER is
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
if [ "${1:-}" = --modules ]; then
    modules=$2
    shift 2
else
    swift build --target Baton > /dev/null
    modules=$(swift build --show-bin-path)/Modules
fi
failed=0
shopt -s failglob
[ $# -gt 0 ] || set -- $(basename --suffix .swift --multiple Tests/Integration/masked-fields/*.swift)
for name; do
    file=Tests/Integration/masked-fields/$name.swift
    expected=$(grep -oE '// (error|warning): .*' "$file" | sed 's|^// ||' | sort -u || true)
    status=0
    output=$(swiftc -swift-version 6 -typecheck -wmo -module-name Snippet -I "$modules" \
        Tests/GeneratedCodeTests/__generated__/*.swift Tests/GeneratedCodeTests/{Scalars,Providers}.swift "$file" 2>&1) || status=$?
    actual=$(grep -oE '^[^ ].*: (error|warning): .*' <<< "$output" |
        sed -E 's/^.*: (error|warning): /\1: /; s/ \[#[A-Za-z]*\]$//' | sort -u || true)
    [ $status -eq 0 ] || grep -q '^error: ' <<< "$actual" || actual="the compiler failed with status $status: $output"
    if [ "$actual" = "$expected" ]; then
        echo "$name: ${expected:-compiles}"
    else
        echo "$name: expected '${expected:-no error}', got '${actual:-no error}'" >&2
        failed=1
    fi
done
exit $failed
