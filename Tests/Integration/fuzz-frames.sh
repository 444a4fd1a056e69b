#!/usr/bin/env bash
# Fuzzes the reader of WebSocket frames for some seconds: fuzz-frames.sh [SECONDS]
# Whatever comes, and however it is cut, the events and the breach are the same, and no more bytes are kept than came.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/Fuzz.swift" <<'SWIFT'
struct Outcome: Equatable {
    var events: [WebSocketReader.Event] = []
    var breach: WebSocketReader.Breach?
}

func read(_ bytes: ArraySlice<UInt8>, masks: Bool, _ size: (Int) -> Int) -> Outcome {
    var (outcome, rest) = (Outcome(), bytes)
    var reader = WebSocketReader(maximumMessageSize: 1_000, expectsMasks: masks)
    do {
        while !rest.isEmpty {
            let count = min(max(size(rest.count), 1), rest.count)
            reader.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            while let event = try reader.next() { outcome.events.append(event) }
        }
    } catch { outcome.breach = error }
    return outcome
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    let masks = first & 1 == 1
    let step = Int(first >> 1) % 7 + 1
    let whole = read(bytes[1...], masks: masks) { $0 }
    precondition(read(bytes[1...], masks: masks) { _ in step } == whole)
    for case .text(let text) in whole.events { precondition(String(validating: text, as: UTF8.self) != nil) }
    return 0
}
SWIFT
swiftc -O -swift-version 6 -parse-as-library -package-name baton -sanitize=fuzzer -o "$work/fuzz" "$work/Fuzz.swift" \
    Sources/BatonHTTP/Frames/{WebSocketFrame,WebSocketReader,UTF8Check}.swift
mkdir "$work/corpus"
printf '\x00\x81\x03abc\x89\x00\x01\x01a\x80\x01b\x88\x02\x03\xe8' > "$work/corpus/messages"
printf '\x01\x81\x83\x01\x02\x03\x04abc' > "$work/corpus/masked"
(cd "$work" && ./fuzz -max_total_time="${1:-20}" -max_len=4096 -seed="$(date +%s)" corpus 2>&1 | tail -n 4)
