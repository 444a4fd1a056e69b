import Testing

@testable import Baton

/// Relay's `__id` in reader plans: the data ID of the record.
@Suite struct DataIDFieldTests {
    private static func operation(_ store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "D", kind: .query, text: "",
            normalization: "(n){a(n:$n):A{id:ID! x:Int p:P{x:Int} l:[P]{x:Int}} b:+B{id:ID!}}",
            reader: "(n){__id:ID! a(n:$n):A{key=__id:ID! p:P{__id:ID!} l:[P]{__id:ID!}} b:+B{__id:ID! <B>{__id:ID!}}}")
        return store.bind(artifact, variables: ["n": 1])
    }

    private static func body(_ id: String) -> String {
        #"{"data":{"a":{"id":"\#(id)","x":1,"p":{"x":1},"l":[{"x":2},null]},"b":{"id":"\#(id)"}}}"#
    }

    private static func shown(_ id: String) -> JSONValue {
        let a = "client:A:\(id)"
        return [
            "__id": "client:root",
            "a": [
                "key": .string("A:\(id)"), "p": ["__id": .string("\(a):p")],
                "l": .array([["__id": .string("\(a):l:0")], .null]),
            ],
            "b": ["__id": .string(id)],
        ]
    }

    @Test func everyRecordHasOne() throws {
        let store = Store()
        let operation = Self.operation(store)
        try store.write(Self.body("1"), for: operation)
        let snapshot = store.read(AnyData.self, of: operation)
        #expect(!snapshot.isMissingData && !operation.reader.plan.isChecked)
        #expect(snapshot.data.map { JSONValue($0) } == Self.shown("1"))
        guard case .available = store.check(operation) else {
            Issue.record("the server is not asked for '__id'")
            return
        }
    }

    /// The numbers of collected records are given to others. A result that is held says what it said.
    @Test func aHeldResultSaysTheSameForEver() throws {
        let store = Store()
        let operation = Self.operation(store)
        try store.write(Self.body("1"), for: operation)
        let held = store.read(AnyData.self, of: operation)
        let record = try #require(store.record("A:1"))
        _ = store.collector.collectGarbage()
        store.operations.retain(operation)
        try store.write(Self.body("2"), for: operation)
        #expect(store.names.access { $0.records.isUsed(record) }, "the number is used again, or this shows nothing")
        #expect(store.dataID(of: record) != "A:1")
        #expect(held.data.map { JSONValue($0) } == Self.shown("1"))
        let new = store.read(at: operation.root, operation.reader, after: held.dependencies)
        #expect(new.row.map { JSONValue(AnyData(__row: $0)) } == Self.shown("2"))
        let other = try #require(store.read(AnyData.self, of: operation).data)
        #expect(other != held.data && other.hashValue != held.data.hashValue)
    }

    /// Two records with the same values differ in their data IDs.
    @Test func equalityKnowsTheDataID() throws {
        let plan = "{a:+A{__id:ID! x:Int} b:+A{__id:ID! x:Int}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "E", kind: .query, text: "", normalization: "{a:+A{id:ID! x:Int} b:+A{id:ID! x:Int}}", reader: plan)
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        func objects(_ b: String) throws -> [AnyData?] {
            try store.write(
                #"{"data":{"a":{"id":"1","x":5},"b":{"id":"\#(b)","x":5}}}"#, for: operation)
            let row = try #require(store.read(AnyData.self, of: operation).data).__row
            return [row.optionalObject(0), row.optionalObject(1)]
        }
        let different = try objects("2")
        #expect(different[0] != different[1])
        let same = try objects("1")
        #expect(same[0] == same[1] && same[0] == different[0])
    }
}
