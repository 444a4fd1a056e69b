#!/usr/bin/env bash
# A newcomer's package, which depends on this one alone: from WebSocketNetwork(url:) to the events of a subscription of strawberry-graphql.
# Prints the lines of the program, the seconds of a clean build and of the run. Compiles the document with the last debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
baton=$(swift build --show-bin-path)/baton
[ -x "$baton" ] || { echo "newcomer: swift build must come first"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir Ticks
cat > Package.swift <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ticks",
    dependencies: [.package(name: "baton", path: "$root")],
    targets: [
        .executableTarget(
            name: "Ticks",
            dependencies: [.product(name: "Baton", package: "baton"), .product(name: "BatonHTTP", package: "baton")],
            path: "Ticks")
    ]
)
SWIFT
cat > Ticks/Ticks.swift <<'SWIFT'
import Baton
import BatonHTTP
import Foundation

private let ticks = graphql("subscription TicksSubscription($count: Int!) { ticks(count: $count) }")

@main enum Ticks {
    static func main() async throws {
        guard let url = URL(string: CommandLine.arguments[1]) else { return print("this is no URL") }
        let environment = RelayEnvironment(network: WebSocketNetwork(url: url))
        for try await response in environment.subscribe(TicksSubscription(count: 3)) {
            if let number = response.data?.ticks { print("tick \(number)") }
        }
    }
}
SWIFT
cp "$root/Tests/Integration/servers/schema.graphql" .
cat > baton.json <<'JSON'
{ "schema": "schema.graphql", "documents": ["Ticks"], "output": "Ticks/__generated__", "scalars": { "Upload": { "type": "String" } } }
JSON
"$baton" compile

now() { date +%s.%N; }
started=$(now)
swift build > build.log 2>&1 || { grep -A8 error: build.log; exit 1; }
built=$(now)
if grep -E 'warning:' build.log; then echo "newcomer: the program builds with warnings"; exit 1; fi
modules=$(find .build/debug/ -path '*.build/*.o' -printf '%h\n' | sort -u | sed 's|.*/||' | tr '\n' ' ')
case $modules in *BatonSyntax*|*BatonCompiler*|*NIO*) echo "newcomer: more was built than the runtime: $modules"; exit 1 ;; esac
"$root/Tests/Integration/servers.py" bash -c '"$(swift build --show-bin-path)/Ticks" "$BATON_STRAWBERRY"' > events.txt
diff <(printf 'tick %d\n' 1 2 3) events.txt
seconds() { awk "BEGIN { printf \"%.1f\", $2 - $1 }"; }
echo "newcomer: $(wc -l < Ticks/Ticks.swift) lines of program, $(seconds "$started" "$built") seconds of clean build, $(wc -l < events.txt) events of a live subscription"
