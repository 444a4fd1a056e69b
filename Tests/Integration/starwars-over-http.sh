#!/usr/bin/env bash
# Plays every frame script of the StarWars tests against a GraphQL server over HTTP, and compares with the frames of the
# embedded service, byte for byte. Each script gets a fresh server, because favourites and reviews last.
#
#   starwars-over-http.sh [SCRIPT.keys...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export STARWARS=${STARWARS:-$root/.build/debug/starwars}
[ -x "$STARWARS" ] || (cd "$root" && swift build --product starwars 1>&2)

scripts=("$@")
[ ${#scripts[@]} -gt 0 ] || scripts=("$root"/Tests/StarWarsTests/Scripts/*.keys)

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
status=0
for script in "${scripts[@]}"; do
    name=$(basename "$script" .keys)
    expected=${script%.keys}.frames
    [ -s "$expected" ] || { echo "no frames at $expected" >&2; exit 1; }
    if ! "$here/starwars-server/start" bash -c '"$STARWARS" --url "$STARWARS_URL" --frames "$0"' "$script" > "$answer"; then
        echo "FAILED   $name"
        status=1
    elif difference=$(diff -u "$expected" "$answer"); then
        echo "ok       $name"
    else
        echo "DIFFERS  $name"
        printf '%s\n' "$difference" | head -40
        status=1
    fi
done
exit $status
