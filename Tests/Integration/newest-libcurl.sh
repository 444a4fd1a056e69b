#!/usr/bin/env bash
# Runs a command with the newest libcurl that a package of PyPI carries, in place of the system's.
#
# usage: newest-libcurl.sh COMMAND [ARGUMENT...]
#        BATON_LIBCURL is its version; a test fails that finds another one loaded.
set -euo pipefail
package=pycurl==7.49.0
version=8.23.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/baton/libcurl-$version
if [ ! -e "$folder/libcurl.so.4" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    python3 -m pip download --quiet --no-deps --only-binary :all: -d "$work" "$package"
    python3 -m zipfile -e "$work"/*.whl "$work"
    mkdir -p "$folder"
    cp "$work"/pycurl.libs/* "$folder"
    # The other libraries are found beside it.
    (cd "$folder" && ln -sf libcurl-*.so.4.* libcurl.so.4)
fi
LD_LIBRARY_PATH=$folder BATON_LIBCURL=$version "$@"
