import RandomCases
import Testing

@testable import Baton

@Suite struct StagedRecordsTests {
    /// Few entries are looked at one by one and many by pages. The model crosses the limit in all orders of records.
    @Test(arguments: RandomCases.seeds(100)) func entriesAndConfirmedRecordsAreFoundHoweverManyThereAre(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let types = [TypeID(index: 3), TypeID(index: 4)]
        // Some records share a page, and some pages have none.
        let records = (0..<24).map { RecordID(UInt32($0 < 12 ? $0 : $0 * 700)) }.shuffled(using: &random)
        var staged = StagedRecords()
        var entries: [(record: RecordID, type: TypeID?)] = []
        var confirmed: [RecordID] = []
        for _ in 0..<60 {
            let record = records.randomElement(using: &random) ?? .root
            if Bool.random(using: &random) {
                staged.confirm(record)
                if !confirmed.contains(record) { confirmed.append(record) }
            } else {
                let type = Bool.random(using: &random) ? types.randomElement(using: &random) : nil
                let position = staged.positionAdding(record, type)
                if let known = entries.firstIndex(where: { $0.record == record }) {
                    #expect(position == known)
                    entries[known].type = type ?? entries[known].type
                } else {
                    #expect(position == entries.count)
                    entries.append((record, type))
                }
            }
            #expect(staged.entries.map(\.record) == entries.map(\.record))
            #expect(staged.entries.map(\.type) == entries.map(\.type))
            #expect(staged.confirmed == confirmed)
            for record in records {
                let position = entries.firstIndex { $0.record == record }
                #expect(staged.position(of: record) == position)
                #expect(staged.contains(record) == (position != nil))
                for type in types {
                    #expect(staged.contains(record, type) == (position.map { entries[$0].type } == type))
                }
                #expect(staged.isConfirmed(record) == confirmed.contains(record))
            }
        }
    }
}
