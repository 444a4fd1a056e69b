import Testing

@testable import Baton

/// A result shows a record once for each path that leads to it. A read of more than the store allows fails, and takes
/// no more time and memory than that.
@Suite struct ResultSizeTests {
    /// Lists of all records, nested six deep, of long and short lists, with and without non-null items and checks.
    private static let plans = [
        ("[+T]", "{id:ID! rows:"), ("[+T!]", "{id:ID! rows:"), ("[+T!]!", "{rows:"), ("[+T]!", "{a:Int rows:"),
        ("[+T]", "{a:Int other:+T{a:Int} rows:"), ("[[+T]]", "{id:ID! rows:"),
    ]

    private static func plan(_ type: String, _ open: String, depth: Int) -> String {
        if depth == 0 { return "{id:ID!}" }
        return (depth == 6 ? "{rows:" : open) + type + plan(type, open, depth: depth - 1) + "}"
    }

    @Test(arguments: [9, 40, 70], 0..<plans.count)
    func listsThatLeadToEachOtherAreRefused(_ count: Int, _ number: Int) throws {
        let (type, open) = Self.plans[number]
        let isNested = type.hasPrefix("[[")
        let store = Store(options: StoreOptions(resultSize: 1 << 16))
        try write(count, to: store, isNested: isNested)
        let reader = bind(Self.plan(type, open, depth: 6), in: store)
        let failed = store.read(AnyData.self, at: reader.root, reader.reader)
        #expect(failed.problems?.failure == .resultTooLarge(component: "W", limit: 1 << 16))
        #expect(failed.data == nil && !failed.isMissingData)
        #expect(failed.dependencies.pairs.count <= (count + 1) * 7)
        #expect(store.json(of: reader) == .null)
        #expect(HoleSearch.holes(in: store.records, at: reader.root, reader.reader.plan).isEmpty)

        // The read depends on what it visited, so that it is read again when it may fit.
        let subscriber = CountingSubscriber()
        let subscription = store.subscribe(subscriber, to: failed.dependencies)
        try write(1, to: store, isNested: isNested)
        #expect(subscriber.count == 1)
        let fits = store.read(AnyData.self, at: reader.root, reader.reader, after: failed.dependencies)
        #expect(fits.problems == nil && fits.data != nil)
        withExtendedLifetime(subscription) {}
    }

    @Test func errorsAndConvertedValuesCount() throws {
        let store = Store(options: StoreOptions(resultSize: 200_000))
        try write(200, to: store, isNested: false)
        let plain = bind("{rows:[+T]{a:Int}}", in: store)
        #expect(store.read(AnyData.self, at: plain.root, plain.reader).data != nil)
        // Each of 40,000 absent fields is an error at a place of its own.
        let checked = bind("{rows:[+T]@catch(RESULT){rows:[+T]{missing:Int}}}", in: store)
        let failed = store.read(AnyData.self, at: checked.root, checked.reader)
        #expect(failed.problems?.failure == .resultTooLarge(component: "W", limit: 200_000))
    }

    @Test func aResultThatFitsIsReadForEver() throws {
        let store = Store(options: StoreOptions(resultSize: 30_000))
        try write(300, to: store, isNested: false)
        let reader = bind("{rows:[+T]{id:ID! a:Int}}", in: store)
        var read = store.read(AnyData.self, at: reader.root, reader.reader)
        for round in 0..<200 {
            try store.update { try $0.get("\(round)")?.setValue(.int(-round), forField: "a") }
            let next = store.read(AnyData.self, at: reader.root, reader.reader, after: read.dependencies)
            #expect(next.data != nil && (round == 0 || next.data != read.data))
            #expect(next.data == store.read(AnyData.self, at: reader.root, reader.reader).data)
            read = next
        }
    }

    private func bind(_ plan: String, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "W", kind: .query, text: "", normalization: plan, reader: plan)
        return store.bind(artifact, variables: .object([]))
    }

    /// Writes records that all link to all, at the root too.
    private func write(_ count: Int, to store: Store, isNested: Bool) throws {
        let (open, close) = isNested ? ("[", "]") : ("", "")
        let type = isNested ? "[[+T]]" : "[+T]"
        let writer = bind("{rows:\(type){id:ID! a:Int other:+T{id:ID! a:Int} rows:\(type){id:ID!}}}", in: store)
        let ids = (0..<count).map { #"{"__typename":"T","id":"\#($0)"}"# }.joined(separator: ",")
        let rows = (0..<count).map { id in
            #"{"__typename":"T","id":"\#(id)","a":\#(id),"other":{"__typename":"T","id":"0","a":0},"#
                + #""rows":\#(open)[\#(ids)]\#(close)}"#
        }
        try store.write(#"{"data":{"rows":\#(open)[\#(rows.joined(separator: ","))]\#(close)}}"#, for: writer)
    }
}
