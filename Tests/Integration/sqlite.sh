#!/usr/bin/env bash
# What opening SQLite says where it is there, where it is missing, too old or something else has its name, and in static programs.
# The program is only the C target, so that it can be linked statically.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/main.c" <<'C'
#include "BatonSQLiteLibrary.h"
#include <stdio.h>
int main(int count, char **arguments) {
    static const char *const words[] = {
        "loaded", "missing", "incomplete", "too old", "static", "failed", "single-threaded"};
    const BatonSQLiteLibrary *library;
    int version;
    puts(words[baton_sqlite_load(count > 1 ? arguments[1] : NULL, &library, &version)]);
    return 0;
}
C
compiler=$(command -v clang || command -v cc)
target=Sources/BatonSQLiteLibrary
build() { "$compiler" -Wall -Werror -I$target/include "$work/main.c" $target/BatonSQLiteLibrary.c "$@" 2> "$work/errors" || { cat "$work/errors"; exit 1; }; }
status=0
expect() {
    local wanted=$1 said
    shift
    said=$("$@") || true
    [ "$said" = "$wanted" ] || { echo "sqlite: '$said' and not '$wanted' from $*"; status=1; }
}

build -o "$work/program" -ldl -lpthread
expect loaded "$work/program"
expect loaded "$work/program" libsqlite3.so.0

# A library with all functions, each of which returns a number: $1 is the folder, then the version, what it says of threads,
# and what initializing it returns.
pretend() {
    mkdir "$work/$1"
    {
        echo 'const char *sqlite3_libversion(void) { return ""; }'
        grep -o 'DO([a-z0-9_]*)' $target/BatonSQLiteLibrary.c | sed 's/DO(\(.*\))/\1/' | grep -vx libversion | sort -u | while read -r name; do
            case $name in libversion_number) value=$2 ;; threadsafe) value=$3 ;; initialize) value=$4 ;; *) value=0 ;; esac
            echo "int sqlite3_$name(void) { return $value; }"
        done
    } > "$work/$1.c"
    "$compiler" -shared -fPIC -o "$work/$1/libsqlite3.so.0" "$work/$1.c"
    cp "$work/$1/libsqlite3.so.0" "$work/$1/libsqlite3.so"
}
pretend new 3099000 1 0
pretend old 3014002 1 0
pretend alone 3040001 0 0
pretend broken 3040001 1 7
mkdir "$work/missing" "$work/other"
for name in libsqlite3.so.0 libsqlite3.so; do
    echo 'no library' > "$work/missing/$name"
    echo 'int sqlite3_libversion_number(void) { return 3040001; }' | "$compiler" -shared -fPIC -x c - -o "$work/other/$name"
done
expect loaded env LD_LIBRARY_PATH="$work/new" "$work/program"
expect missing env LD_LIBRARY_PATH="$work/missing" "$work/program"
expect incomplete env LD_LIBRARY_PATH="$work/other" "$work/program"
expect 'too old' env LD_LIBRARY_PATH="$work/old" "$work/program"
expect single-threaded env LD_LIBRARY_PATH="$work/alone" "$work/program"
expect failed env LD_LIBRARY_PATH="$work/broken" "$work/program"
expect 'too old' "$work/program" "$work/old/libsqlite3.so.0"
build -o "$work/static" -static
expect static "$work/static"

# With a command, runs it where SQLite is missing.
[ $# -eq 0 ] || LD_LIBRARY_PATH="$work/missing" "$@" || status=1
exit $status
