#!/usr/bin/env bash
# Packages that depend on this one by a git address and a version, as a stranger's do. The app of the guide FirstProgram
# is built three times: with files that `baton compile` has written, with the plugin of a bundle, and with the plugin.
# The package of TestingAComponent is built and tested. The address is that of a clone of HEAD with the tag of the
# version, in place of the one in .ci/address. Prints what such a package fetches, sees and compiles (weight.py), and
# the seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
# A stranger sets nothing.
unset BATON_STRICT BATON_WITHOUT_PLUGINS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/.*text = "\(.*\)"/\1/p' Sources/Baton/Base/BatonVersion.swift)
git clone --quiet --bare . "$work/baton.git"
git -C "$work/baton.git" tag --force "$version" "$(git rev-parse HEAD)"
for guide in FirstProgram TestingAComponent; do python3 .ci/readme-blocks.py "Sources/Baton/Baton.docc/$guide.md" "$work"; done
sed -i "s|$(cat .ci/address)|file://$work/baton.git|" "$work"/{example,shelf}/Package.swift
# The compiler is built in a folder of its own, so that the other has what is compiled for the packages.
tool=(--scratch-path "$work/tool" --disable-build-manifest-caching)
scratch=(--scratch-path "$work/build" --disable-build-manifest-caching)
weigh() { python3 "$root/Tests/Integration/weight.py" "$@"; }

# Builds the app in this folder, and compares what it prints and the modules that are compiled: those of these products.
build_app() {
    local started=$SECONDS products
    swift build --product Films "${scratch[@]}" 2>&1 | tee "$work/log"
    ! grep 'warning:' "$work/log" || { echo "tagged: a package of a stranger builds with warnings"; exit 1; }
    products=$(swift build "${scratch[@]}" --show-bin-path)
    "$products/Films" > "$work/actual.txt"
    diff -u "$work/expected.txt" "$work/actual.txt"
    weigh compiled "$products" "$work/manifest.json" Films "$@"
    echo "tagged: $(basename "$PWD"): $((SECONDS - started)) s for the app"
}

# Makes a copy of the app whose build generates: folder, plugin, package of the plugin.
copy_with_plugin() {
    cp -r "$work/example" "$work/$1"
    rm -r "$work/$1/Generated"
    sed -i "s|exclude: \[.*\]|&, plugins: [.plugin(name: \"$2\", package: \"$3\")]|" "$work/$1/Package.swift"
    cd "$work/$1"
}

cd "$work/example"
started=$SECONDS
swift package "${tool[@]}" resolve
checkout=$work/tool/checkouts/baton
weigh fetched "$work/tool"
swift package --package-path "$checkout" --scratch-path "$work/manifest" dump-package > "$work/manifest.json"
weigh seen "$work/manifest.json" "$checkout"
said=$(swift run "${tool[@]}" baton --version)
[ "$said" = "baton $version" ] || { echo "tagged: '$said' and not 'baton $version'"; exit 1; }
swift run "${tool[@]}" baton compile
echo "tagged: version $version, $((SECONDS - started)) s until the documents were compiled"
build_app Baton BatonTesting

# The bundle has the program that was built just now. Its plugin comes first, because it leads to no module.
"$checkout/Compiler/Plugins/make-bundle" "$work/baton-plugins" "$(swift build "${tool[@]}" --show-bin-path)/baton"
copy_with_plugin bundle BatonBundlePlugin baton-plugins
sed -i 's|from: "[0-9.]*")|&, .package(path: "../baton-plugins")|' Package.swift
build_app Baton BatonTesting
copy_with_plugin plugin BatonPlugin baton
build_app Baton BatonTesting BatonPlugin

cd "$work/shelf"
started=$SECONDS
swift run "${tool[@]}" baton compile
swift build --build-tests "${scratch[@]}" 2>&1 | tee "$work/log"
! grep 'warning:' "$work/log" || { echo "tagged: the package with tests builds with warnings"; exit 1; }
swift test --skip-build "${scratch[@]}" 2>&1 | tee "$work/log"
grep -q 'Test run with 2 tests .*passed' "$work/log"
echo "tagged: the package with tests took $((SECONDS - started)) s more"
"$root/Tests/Integration/mock-walk.sh" "$work/example" "${tool[@]}"

cd "$work/example"
started=$SECONDS
swift build -c release --product Films "${scratch[@]}"
strip -o "$work/Films" "$(swift build -c release "${scratch[@]}" --show-bin-path)/Films"
echo "tagged: the app in release, stripped: $(stat -c %s "$work/Films") bytes, built in $((SECONDS - started)) s"
