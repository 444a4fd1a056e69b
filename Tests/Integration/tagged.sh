#!/usr/bin/env bash
# Packages that depend on this one by a git address and a version, as a stranger's do: the app of the guide FirstProgram, and the package
# of TestingAComponent with its tests. The address is that of a clone of HEAD with the tag of the version, in place of the one in .ci/address.
# Prints what was fetched, what was compiled for the app alone, and the seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/.*text = "\(.*\)"/\1/p' Sources/Baton/Base/BatonVersion.swift)
git clone --quiet --bare . "$work/baton.git"
git -C "$work/baton.git" tag --force "$version" "$(git rev-parse HEAD)"
for guide in FirstProgram TestingAComponent; do python3 .ci/readme-blocks.py "Sources/Baton/Baton.docc/$guide.md" "$work"; done
sed -i "s|$(cat .ci/address)|file://$work/baton.git|" "$work"/{example,shelf}/Package.swift
scratch=(--scratch-path "$work/build" --disable-build-manifest-caching)
warnings() { ! grep 'warning:' "$1" || { echo "tagged: a package of a stranger builds with warnings"; exit 1; }; }

cd "$work/example"
started=$SECONDS
swift package "${scratch[@]}" resolve
fetched=$(du -sk "$work/build/checkouts/baton" | cut -f1)
said=$(swift run "${scratch[@]}" baton --version)
[ "$said" = "baton $version" ] || { echo "tagged: '$said' and not 'baton $version'"; exit 1; }
swift run "${scratch[@]}" baton compile
app=$SECONDS
swift build --product Films "${scratch[@]}" 2>&1 | tee "$work/log"
warnings "$work/log"
"$(swift build "${scratch[@]}" --show-bin-path)/Films" > "$work/actual.txt"
diff -u "$work/expected.txt" "$work/actual.txt"
echo "tagged: version $version, $fetched KiB of sources; $((app - started)) s until the documents were compiled, $((SECONDS - app)) s for the app"

cd "$work/shelf"
started=$SECONDS
swift run "${scratch[@]}" baton compile
swift build --build-tests "${scratch[@]}" 2>&1 | tee "$work/log"
warnings "$work/log"
swift test --skip-build "${scratch[@]}" 2>&1 | tee "$work/log"
grep -q 'Test run with 2 tests .*passed' "$work/log"
echo "tagged: the package with tests took $((SECONDS - started)) s more"
