// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Synchronization
import Testing

@testable import Baton

/// The conversions of custom scalars, in a read.
@Suite struct CustomScalarTests {
    /// Counts its conversions and refuses a text that begins with `bad`.
    private enum Counted: ScalarConversion {
        struct Refusal: Error {}

        @TaskLocal static var count: Counter?

        final class Counter: Sendable {
            private let number = Atomic(0)

            var value: Int { number.load(ordering: .relaxed) }
            func add() { number.add(1, ordering: .relaxed) }
        }

        static func decode(_ json: JSONValue) throws -> String {
            count?.add()
            guard case .string(let text) = json, !text.hasPrefix("bad") else { throw Refusal() }
            return "made of \(text)"
        }

        static func encode(_ value: String) -> JSONValue { .string(String(value.dropFirst("made of ".count))) }
    }

    private static let plan = "{one:+T{id:ID! s:@Counted! more:[@Counted!]}}"
    private let store = Store()
    private let operation: BoundOperation

    private static let artifact = GeneratedCode.OperationArtifact(
        name: "Q", kind: .query, text: "", normalization: plan, reader: plan,
        scalars: [GeneratedCode.ScalarDecoder("Counted", Counted.self)])

    init() { operation = store.bind(Self.artifact, variables: .object([])) }

    private var one: GeneratedCode.Row? { store.read(AnyData.self, of: operation).data?.__row.child(0) }

    /// Looks at every scalar of the result.
    private func touch(_ row: GeneratedCode.Row?) -> [String] {
        guard let row else { return [] }
        return [row.scalar(1, Counted.self)] + row.list(2) { $0.scalar(Counted.self) }
    }

    @Test func aScalarOfAnAnswerIsConvertedOnce() throws {
        let counter = Counted.Counter()
        try Counted.$count.withValue(counter) {
            try store.write(#"{"data":{"one":{"id":"1","s":"a","more":["b","c"]}}}"#, for: operation)
            #expect(counter.value == 3)
            for _ in 0..<5 {
                let row = one
                #expect(touch(row) == ["made of a", "made of b", "made of c"])
                #expect(touch(row) == ["made of a", "made of b", "made of c"])
                try store.update { try $0.get("1")?.setValue(1, forField: "other") }
            }
            #expect(counter.value == 3, "the reads and the properties have converted nothing")
        }
    }

    /// An update writes JSON, which the read converts. Its properties convert nothing.
    @Test func aScalarOfAnUpdateIsConvertedByTheReadAlone() throws {
        try store.write(#"{"data":{"one":{"id":"1","s":"a","more":[]}}}"#, for: operation)
        try store.update { try $0.get("1")?.setValue("b", forField: "s") }
        let counter = Counted.Counter()
        Counted.$count.withValue(counter) {
            let row = one
            #expect(counter.value == 1)
            for _ in 0..<5 { #expect(touch(row) == ["made of b"]) }
            #expect(counter.value == 1)
        }
    }

    /// A restored scalar is JSON, which the first read converts for all others.
    @Test func aScalarOfASnapshotIsConvertedByTheFirstRead() throws {
        try store.write(#"{"data":{"one":{"id":"1","s":"a","more":["b"]}}}"#, for: operation)
        let other = Store()
        try other.restore(store.snapshot())
        let restored = other.bind(Self.artifact, variables: .object([]))
        let counter = Counted.Counter()
        try Counted.$count.withValue(counter) {
            for number in 0..<3 {
                let row = other.read(AnyData.self, of: restored).data?.__row.child(0)
                #expect(touch(row) == ["made of a", "made of b"])
                #expect(counter.value == 2)
                try other.update { try $0.get("1")?.setValue(.int(number), forField: "other") }
            }
        }
    }

    @Test func aConversionThatFailsInAReadLeavesTheObjectWithoutAValue() throws {
        try store.write(#"{"data":{"one":{"id":"1","s":"a","more":["b"]}}}"#, for: operation)
        store.acceptValuesOfAnyType()
        try store.update { try $0.get("1")?.setValue("bad", forField: "s") }
        #expect(store.read(AnyData.self, of: operation).data != nil && one == nil)
        try store.update { try $0.get("1")?.setValue("good", forField: "s") }
        #expect(touch(one) == ["made of good", "made of b"])
        // The list is nullable, and its items are not.
        try store.update { try $0.get("1")?.setValue(["c", "bad"], forField: "more") }
        #expect(one?.optionalList(2) { $0.scalar(Counted.self) } == nil && touch(one) == ["made of good"])
    }

    @Test func aConversionThatFailsInAnAnswerRefusesIt() throws {
        #expect(throws: RelayError.InvalidResponse.self) {
            try store.write(#"{"data":{"one":{"id":"1","s":"bad","more":[]}}}"#, for: operation)
        }
        #expect(one == nil)
    }
}
