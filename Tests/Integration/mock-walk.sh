#!/usr/bin/env bash
# Walks through the guide DevelopingWithoutAServer in a package that depends on this one and has documents about films.
# Prints the seconds of the first start, which builds the program, and of the rest.
#
# usage: mock-walk.sh PACKAGE [ARGUMENT-OF-SWIFT-RUN...]
set -euo pipefail
cd "$1"
run=(swift run "${@:2}")
schema=$(python3 -c 'import json; print(json.load(open("baton.json"))["schema"][0])')
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT

fail() {
    echo "mock-walk: $1" >&2
    tail -n 20 "$work"/*.log >&2
    exit 1
}

# Waits for some seconds until a command succeeds.
until_true() {
    for _ in $(seq $(($1 * 5))); do
        "${@:2}" && return
        sleep 0.2
    done
    return 1
}

says() { grep -qF "$1" "$log"; }

# Starts a program at a free port, and waits until it has said its address.
serve() {
    log=$work/$1.log
    "${run[@]}" "${@:2}" --port 0 > "$log" 2>&1 &
    server=$!
    until_true 1800 began || fail "'${*:2}' did not start"
    url=$(sed -n 's|^\(http://[^ ]*\) answers .*|\1|p' "$log")
}
began() { says "Ready in" || ! kill -0 "$server" 2> /dev/null || return 1; says "Ready in" || fail "the program ended"; }

stop() { kill "$1" && { wait "$1" 2> /dev/null || true; }; }

ask() { curl -sS -m 20 "$url" -H 'Content-Type: application/json' -d "$1" "${@:2}"; }

# The response to a request has a text.
expect() {
    local answer
    answer=$(ask "$1" "${@:3}")
    [[ $answer == *"$2"* ]] || fail "'$2' is not in $answer"
}
has() { [[ $(ask "$films") == *"$1"* ]]; }
kept() { grep -qF Hope "$work"/recordings/Films-*.txt 2> /dev/null; }

films='{"query": "query Films { films { id title } }"}'
started=$SECONDS
serve start baton-mock --schema "$schema"
ready=$SECONDS
expect '{"query": "{ __typename }"}' '"Query"'
expect "$films" '"Film:'
expect "$films" 'It is late' -H 'X-Mock-Error: It is late'
expect "$films" 503 -H 'X-Mock-Status: 503' -o /dev/null -w '%{http_code}'
[[ $(curl -sS "${url%/graphql}/") == *Films* ]] || fail "the page does not show the requests"
stop "$server"

# The files are read again when they are saved, and a mistake changes nothing.
echo '{}' > "$work/overrides.json"
echo '[]' > "$work/rules.json"
serve files baton mock --schema "$schema" --overrides "$work/overrides.json" --rules "$work/rules.json"
echo '{"Film": {"title": "Hope"}}' > "$work/overrides.json"
until_true 20 has '"Hope"' || fail "saved overrides are not seen"
echo '{"Flim": {"title": "Fear"}}' > "$work/overrides.json"
until_true 20 says 'overrides have a mistake' || fail "a mistake in the overrides is not told"
has '"Hope"' || fail "a mistake in the overrides undoes the earlier ones"
echo '[{"operation": "Films", "error": "Try again later", "times": 1}]' > "$work/rules.json"
until_true 20 says 'rules were read again' || fail "saved rules are not seen"
expect "$films" 'Try again later'
expect "$films" '"Hope"'

# What a server says is kept, and said again when it is gone.
real=$server
serve record baton-mock --record "$url" --recordings "$work/recordings"
recorded=$(ask "$films")
[[ $recorded == *'"Hope"'* ]] || fail "the server that is recorded does not answer: $recorded"
until_true 20 kept || fail "nothing was recorded"
stop "$server"
stop "$real"
serve replay baton-mock --recordings "$work/recordings"
[ "$(ask "$films")" = "$recorded" ] || fail "the recording says something else than $recorded"
expect '{"query": "query Others { films { id } }"}' '"errors"'
stop "$server"
echo "tagged: baton-mock answered $((ready - started)) s after its first start, which builds it; the rest of its guide took $((SECONDS - ready)) s"
