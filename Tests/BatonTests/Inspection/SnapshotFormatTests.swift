import RandomCases
import StoreModel
import Testing

@testable import Baton

/// The allowed content and order of a snapshot's bytes.
@Suite struct SnapshotFormatTests {
    /// Makes a store with values of every kind, records without links to them, and fields from several responses.
    private static func filled(reversed: Bool = false) throws -> Store {
        let store = Store()
        let steps: [(Store) throws -> Void] = [
            { try $0.write(HeroQuery.answer, for: $0.bind(HeroQuery())) },
            { store in
                try store.update { records in
                    let doubles: KeyValuePairs<String, Double> = [
                        "zero": -0.0, "two": 2, "half": 0.5, "huge": 1e300, "tiny": -.leastNonzeroMagnitude,
                    ]
                    for (key, value) in doubles {
                        try records.root.setValue(.double(value), forField: key)
                    }
                    try records.root.setValue([[1, nil], [], ["\u{1}\"\\\u{e9}\n"]], forField: "lists")
                }
            },
            { store in
                try store.update { records in
                    for id in ["z", "an identity of more than sixteen bytes", "quote \" and \\", "client:z"] {
                        try records.create(DataID(id), type: "Note").setValue(.string(id), forField: "text")
                    }
                }
            },
            { try $0.update { try $0.delete("1000") } },
        ]
        try steps[0](store)
        for step in reversed ? steps.dropFirst().reversed() : Array(steps.dropFirst()) { try step(store) }
        return store
    }

    @Test func equalStoresGiveEqualBytesInWhateverOrderTheyWereFilled() throws {
        let bytes = try Self.filled().snapshot()
        #expect(try Self.filled(reversed: true).snapshot() == bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try JSONValue.parse(bytes).canonicalText == text, "it is canonical JSON")
    }

    /// Items that were cut off a list are in no list, but stay in the store until they are collected.
    @Test func placesThatNothingLinksToComeBack() throws {
        func operation(_ store: Store) -> BoundOperation {
            store.bind(
                NormalizerModelTests.artifact("{items(a:1):[Item]{n:Int part:Part{m:Int}} other:[Item]{n:Int}}"),
                variables: .object([]))
        }
        let items = #"[{"n":0,"part":{"m":0}},{"n":1,"part":{"m":1}},{"n":2,"part":null}]"#
        let long = #"{"data":{"items":\#(items),"other":[{"n":3}]}}"#
        let short = #"{"data":{"items":[null,{"n":1,"part":null}],"other":[]}}"#
        let store = Store()
        for answer in [long, short] { try store.write(answer, for: operation(store)) }
        let other = Store()
        try other.write(#"{"data":{"items":[],"other":[{"n":3},{"n":9}]}}"#, for: operation(other))
        let bytes = store.snapshot()
        try other.restore(bytes)
        #expect(other.dump() == store.dump())
        #expect(other.snapshot() == bytes)
        #expect(other.checkInvariants() == [])
        #expect(other.dump().contains("m = 1"))
    }

    @Test func bytesThatEndTooEarlyAreRefusedWhereverTheyEnd() throws {
        let bytes = try Self.filled().snapshot()
        let target = Store()
        try target.write(HeroQuery.answer, for: target.bind(HeroQuery()))
        func counts() -> [Int] {
            target.names.access { [$0.records.count, $0.keys.texts.count, $0.types.count] }
        }
        let (before, names, epoch) = (target.dump(), counts(), target.epoch)
        for count in 0..<bytes.count {
            let error = #expect(throws: SnapshotError.self) { try target.restore(Array(bytes.prefix(count))) }
            guard case .notJSON? = error else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                return
            }
        }
        #expect(target.dump() == before && target.epoch == epoch)
        #expect(counts() == names, "no name of a snapshot that is refused is kept")
    }

    @Test func membersInAnotherOrderAndSpaceAreTheSame() throws {
        let store = try Self.filled()
        let bytes = store.snapshot()
        guard case .object(let members) = try JSONValue.parse(bytes) else { return }
        var generator = SeededGenerator(seed: 3)
        for round in 0..<20 {
            let shuffled = round == 0 ? members.reversed() : members.shuffled(using: &generator)
            let other = Store()
            try other.restore(Self.spaced(JSONValue.object(shuffled).jsonBytes))
            #expect(other.snapshot() == bytes)
        }
    }

    /// Adds space wherever it is allowed.
    private static func spaced(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var (isInText, isEscaped) = (false, false)
        for byte in bytes {
            let isSyntax = !isInText && [0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D].contains(byte)
            result += isSyntax ? [0x20, byte, 0x0A] : [byte]
            if isInText, !isEscaped, byte == 0x5C {
                isEscaped = true
                continue
            }
            if byte == 0x22, !isEscaped { isInText.toggle() }
            isEscaped = false
        }
        return result
    }

    @Test(arguments: [
        (#""ids":["x",[1,0,null]],"records":[]"#, "identity 1 is malformed"),
        (#""ids":["x",[0,3,null]],"records":[]"#, "3 is the position of no storage key"),
        (#""ids":["x",[0,0,-1]],"records":[]"#, "identity 1 has no list index"),
        (#""ids":["x",[0,0,4294967295]],"records":[]"#, "identity 1 has no list index"),
        (#""ids":["x",[0,0]],"records":[]"#, "identity 1 is malformed"),
        (#""ids":["x",[0,0,1,2]],"records":[]"#, "identity 1 is malformed"),
        (#""ids":["x",{}],"records":[]"#, "identity 1 is malformed"),
        (#""ids":["x",""],"ids":[],"records":[]"#, "'ids' is there twice"),
        (#""ids":{},"records":[]"#, "'ids' is no list"),
        (#""ids":[]"#, "'records' is no list"),
        (#""ids":["x"],"records":[[0,0,-1,1,2]]"#, "record 0 has too many values"),
        (#""ids":["x"],"records":[[0,0,-1]]"#, "record 0 has too few values"),
        (#""ids":["x"],"records":[[0,2,-1]]"#, "record 0 has no form"),
        (#""ids":["x"],"records":[[0,-1,-1]]"#, "record 0 has no form"),
        (#""ids":["x"],"records":[[0,0]]"#, "record 0 is malformed"),
        (#""ids":["x"],"records":[[0,0,1,1]]"#, "1 is the position of no fetch"),
        (#""ids":["x"],"records":[[0,0,-3,1]]"#, "-3 is the position of no fetch"),
        (#""ids":["x"],"records":[[0,1,0]]"#, "not as many fetches as fields"),
        (#""ids":["x"],"records":[[1,1,-1]]"#, "1 is the position of no identity"),
        (#""ids":["x"],"records":[[-1,1,-1]]"#, "-1 is the position of no identity"),
        (#""ids":["x"],"records":[[0],[0,1,-1]]"#, "a record is there twice"),
        (#""ids":["x"],"records":[7]"#, "a record is malformed"),
        (#""ids":["x"],"records":[[]]"#, "a record is malformed"),
        (#""ids":["client:root"],"records":[[0]]"#, "the root record is deleted"),
        (#""ids":["client:root"],"records":[[0,1,-1]]"#, "the root record has another type"),
        (#""ids":["client\u003aroot"],"records":[[0,1,-1]]"#, "the root record has another type"),
        (#""ids":["x"],"records":[[0,0,-1,{"link":1}]]"#, "a link leads to the position of no identity"),
        (#""ids":["x"],"records":[[0,0,-1,{"li\u006ek":1}]]"#, "a link leads to the position of no identity"),
        (#""ids":["x"],"records":[[0,0,-1,{"links":[0,-2]}]]"#, "a link leads to the position of no identity"),
        (#""ids":["x"],"records":[[0,0,-1,[{"links":[4294967296]}]]]"#, "a link leads to the position of no identity"),
        (#""ids":["x"],"records":[[0,0,-1,{"link":0,"links":[]}]]"#, "a value is malformed"),
        (#""ids":["x"],"records":[[0,0,-1,{}]]"#, "a value is malformed"),
        (#""ids":["x"],"records":[[0,0,-1,{"scalar":"{"}]]"#, "a scalar is no JSON"),
        (#""ids":["x"],"records":[[0,0,-1,{"scalar":1}]]"#, "a value is malformed"),
        (#""ids":["x"],"records":[[0,0,-1,{"other":1}]]"#, "a value is marked 'other'"),
        (#""ids":["x"],"records":[[0,0,-1,1e400]]"#, "a number is beyond what a double can hold"),
    ])
    func whatIsNoSnapshotIsRefused(_ part: String, _ reason: String) throws {
        let store = try Self.filled()
        let before = store.dump()
        let rest = """
            "errors":[],"facts":[],"fetches":[],"fields":["a","b"],"forms":[["T",0],["T"]],"format":3,\
            "invalidated":{"records":[],"store":null,"types":[]},"operations":[],"patterns":[[-1,-1]]
            """
        for text in ["{\(rest),\(part)}", "{\(part),\(rest)}"] {
            let error = #expect(throws: SnapshotError.self) { try store.restore(Array(text.utf8)) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
        #expect(store.dump() == before)
    }

    @Test(arguments: [
        (#""fields":["a","a"],"forms":[],"patterns":[]"#, "a storage key is malformed, or there twice"),
        (#""fields":[1],"forms":[],"patterns":[]"#, "a storage key is malformed, or there twice"),
        (#""fields":["a"],"forms":[["T",1]],"patterns":[]"#, "a field of form 0 is malformed, or there twice"),
        (#""fields":["a"],"forms":[["T",-1]],"patterns":[]"#, "a field of form 0 is malformed, or there twice"),
        (#""fields":["a"],"forms":[["T",0,0]],"patterns":[]"#, "a field of form 0 is malformed, or there twice"),
        (#""fields":["a"],"forms":[[]],"patterns":[]"#, "form 0 is malformed"),
        (#""fields":[],"forms":[],"patterns":[[0]]"#, "0 is the position of no fetch"),
        (#""fields":[],"forms":[],"patterns":[0]"#, "a pattern is malformed"),
        (#""fields":[],"forms":[]"#, "'patterns' is no list"),
    ])
    func whatComesBeforeTheRecordsIsChecked(_ part: String, _ reason: String) throws {
        let text = """
            {"errors":[],"facts":[],"fetches":[],"format":3,"ids":[],"invalidated":{"records":[],"store":null,"types":[]},\
            "operations":[],\(part),"records":[]}
            """
        let error = #expect(throws: SnapshotError.self) { try Store().restore(Array(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func placesLieSoDeepAndNoDeeper() throws {
        func text(_ depth: Int) -> String {
            let chain = (0..<depth).map { "[\($0),0,null]" }.joined(separator: ",")
            return """
                {"errors":[],"facts":[],"fetches":[],"fields":["a"],"format":3,"forms":[["T"]],"ids":["x",\(chain)],\
                "invalidated":{"records":[],"store":null,"types":[]},"operations":[],"patterns":[],\
                "records":[[\(depth),0,-1]]}
                """
        }
        let error = #expect(throws: SnapshotError.self) { try Store().restore(Array(text(100_000).utf8)) }
        #expect(error?.description.contains("identity 1025 lies too deep") == true, "\(error?.description ?? "")")
        let store = Store()
        try store.restore(Array(text(1024).utf8))
        #expect(String(decoding: store.snapshot(), as: UTF8.self) == text(1024))
    }

    /// Links are confirmed by number alone unless a record has an `id` that differs from its data ID. A snapshot may
    /// bring such an `id`.
    @Test(arguments: ["", "A:"]) func aLinkPutsRightAnIDThatASnapshotBrought(_ prefix: String) throws {
        let plus = prefix.isEmpty ? "+" : ""
        func operation(_ store: Store) -> BoundOperation {
            let plan = "{all:[\(plus)A]{id:ID! n:Int} links:[\(plus)A]{id:ID!}}"
            return store.bind(NormalizerModelTests.artifact(plan), variables: .object([]))
        }
        let links = #"{"data":{"links":[{"id":"1"},{"id":"2"}]}}"#
        let all = #"{"data":{"all":[{"id":"1","n":1},{"id":"2","n":2}],"links":[{"id":"1"},{"id":"2"}]}}"#
        let store = Store()
        try store.write(all, for: operation(store))
        let (same, other) = (Store(), Store())
        try same.restore(store.snapshot())
        #expect(!same.records.idsMayDiffer)
        try store.update { try $0.get(DataID("\(prefix)2"))?.setValue("other", forField: "id") }
        try other.restore(store.snapshot())
        #expect(try other.write(links, for: operation(other)).recordsChanged == 1)
        #expect(other.dump().contains("\(prefix)2.id = \"2\""))
        // Links are confirmed by number again after a snapshot without such an `id` is restored.
        try other.restore(same.snapshot())
        #expect(!other.records.idsMayDiffer)
    }
}
