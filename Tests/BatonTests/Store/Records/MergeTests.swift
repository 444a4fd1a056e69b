import Testing

@testable import Baton

/// What is written into records that the store has already.
@Suite struct MergeTests {
    private let store = Store()

    init() { store.acceptValuesOfAnyType() }

    private func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(name: "Q", kind: .query, text: "", normalization: plan, reader: plan)
    }

    /// Makes a record with an `id` and some more fields, to which the root links.
    private func fill(fields: Int) throws {
        try store.update { source in
            let record = try source.create("T:1", type: "T")
            try record.setValue("1", forField: "id")
            for number in 0..<fields { try record.setValue(.int(number), forField: "more\(number)") }
            try source.root.setLinkedRecord(record, forField: "one")
        }
    }

    /// A null is a value as any other, also where the row of the record was widened for it. A wide record shares its
    /// values with the version before.
    @Test(arguments: [0, 100]) func aNullThatIsNewToARecordIsNoValue(_ fields: Int) throws {
        try fill(fields: fields)
        let operation = store.bind(artifact("{one:T{id:ID! a:Int!}}"), variables: .object([]))
        #expect(store.read(AnyData.self, of: operation).isMissingData)
        let summary = try store.update { try $0.get("T:1")?.setValue(.null, forField: "a") }.1
        #expect(summary.recordsChanged == 1)
        let snapshot = store.read(AnyData.self, of: operation)
        #expect(snapshot.data?.__row.child(0) == nil)
        #expect(!HoleSearch.holes(in: store.records, at: .root, operation.reader.plan, limit: .max).isEmpty)
        // The next row of the block may have a value there.
        try store.update { try $0.get("T:1")?.setValue(7, forField: "a") }
        #expect(store.read(AnyData.self, of: operation).data?.__row.child(0)?.int(1) == 7)
        #expect(store.checkInvariants() == [])
    }

    /// A fragment of one row is read without a reader.
    @Test func aNullThatIsNewToARecordIsNoValueOfAFragment() throws {
        try fill(fields: 0)
        let operation = store.bind(artifact("{one:T{~HeroName}}"), variables: .object([]))
        let row = try #require(store.read(AnyData.self, of: operation).data?.__row.child(0))
        let bound = try #require(store.bind(row.fragment(0) as FragmentReference<HeroName>))
        try store.update { try $0.get("T:1")?.setValue(.null, forField: "name") }
        #expect(store.read(HeroName.Data.self, at: bound.record, bound.selections).data == nil)
        try store.update { try $0.get("T:1")?.setValue("Han", forField: "name") }
        #expect(store.read(HeroName.Data.self, at: bound.record, bound.selections).data?.name == "Han")
    }
}
