#!/usr/bin/env bash
# What opening libcurl says where it is there, where it is missing or another library has its name, and in static programs.
# The program is only the C target, so that it can be linked statically.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/main.c" <<'C'
#include "BatonCurl.h"
#include <stdio.h>
int main(void) {
    static const char *const words[] = {"loaded", "missing", "too old", "static", "failed", "without a resolver"};
    puts(words[baton_curl_load()]);
    return 0;
}
C
compiler=$(command -v clang || command -v cc)
build() { "$compiler" -Wall -ISources/BatonCurl/include "$work/main.c" Sources/BatonCurl/BatonCurl.c "$@" 2> "$work/errors" || { cat "$work/errors"; exit 1; }; }
status=0
expect() {
    local wanted=$1 said
    shift
    said=$("$@") || true
    [ "$said" = "$wanted" ] || { echo "libcurl: '$said' and not '$wanted' from $*"; status=1; }
}

build -o "$work/program" -ldl
expect loaded "$work/program"
mkdir "$work/missing" "$work/old" "$work/deaf"
# A new library with all functions, which can look names up only while it does nothing else.
{
    echo 'struct info { int age; const char *version; unsigned number; const char *host; int features; };'
    echo 'static const struct info said = {0, "8.9.0", 0x080900, "", 0};'
    echo 'const struct info *curl_version_info(int age) { return &said; }'
    sed -n 's/^    .*(\*\([a-z_]*\))(.*;$/int curl_\1(void) { return 0; }/p' Sources/BatonCurl/BatonCurl.c | grep -v version_info
} > "$work/deaf.c"
for name in libcurl.so.4 libcurl-gnutls.so.4; do
    echo 'no library' > "$work/missing/$name"
    echo 'int curl_easy_init(void) { return 0; }' | "$compiler" -shared -fPIC -x c - -o "$work/old/$name"
    "$compiler" -shared -fPIC -o "$work/deaf/$name" "$work/deaf.c"
done
expect missing env LD_LIBRARY_PATH="$work/missing" "$work/program"
expect 'too old' env LD_LIBRARY_PATH="$work/old" "$work/program"
expect 'without a resolver' env LD_LIBRARY_PATH="$work/deaf" "$work/program"
build -o "$work/static" -static
expect static "$work/static"
exit $status
