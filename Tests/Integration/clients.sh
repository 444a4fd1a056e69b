#!/usr/bin/env bash
# An application and the code that is generated for it compile without a warning, whatever the settings of its module are:
# the main actor as default isolation, each feature of later language modes, and all of them.
#
# usage: clients.sh BATON MODULES      the compiler of this repository, and the folder of the modules of its debug build
set -euo pipefail
shopt -s failglob
here=$(cd "$(dirname "$0")" && pwd)
baton=$(realpath "$1")
modules=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/tasks/schema.graphql "$here"/tasks/documents.graphql "$work"
echo '{ "schema": "schema.graphql", "documents": ["documents.graphql"], "output": "code" }' > "$work/baton.json"
"$baton" compile --config "$work/baton.json"

failed=0
compiles() {
    local name=$1
    shift
    if output=$(swiftc -typecheck -wmo -swift-version 6 -warnings-as-errors -module-name Client -I "$modules" \
        -Xcc "-fmodule-map-file=${modules%/Modules}/BatonCurl.build/module.modulemap" "$@" \
        "$work"/code/*.swift "$here"/clients/*.swift 2>&1); then
        echo "clients: $name"
    else
        echo "clients: with $name the application does not compile:" >&2
        echo "$output" >&2
        failed=1
    fi
}

features=(NonisolatedNonsendingByDefault ExistentialAny MemberImportVisibility InternalImportsByDefault InferIsolatedConformances)
compiles 'no settings'
compiles 'the main actor as default isolation' -default-isolation MainActor
all=(-default-isolation MainActor)
for feature in "${features[@]}"; do
    compiles "$feature" -enable-upcoming-feature "$feature"
    all+=(-enable-upcoming-feature "$feature")
done
compiles 'all of them' "${all[@]}"
exit $failed
