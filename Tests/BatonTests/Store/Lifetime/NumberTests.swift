import RandomCases
import Testing

@testable import Baton

/// The numbers of removed records are given to others, and nothing takes the new record for the old one.
@Suite struct NumberTests {
    @Test func theTableFindsWhatItHoldsWhateverWasRemoved() {
        var generator = SeededGenerator(seed: 77)
        var table = RecordNumbers(seed: 5)
        var model: [String: RecordID] = [:]
        var owner: [RecordID: String] = [:]
        for step in 0..<20_000 {
            let number = Int.random(in: 0..<700, using: &generator)
            let text = number % 3 == 0 ? "a rather long identity, number \(number)" : "id-\(number)"
            if Int.random(in: 0..<2, using: &generator) == 0 {
                guard let record = table.intern(Array(text.utf8)) else { continue }
                if let known = model[text] {
                    #expect(record == known)
                } else {
                    #expect(owner[record] == nil, "a number that is in use was given again")
                }
                model[text] = record
                owner[record] = text
            } else if let record = model.removeValue(forKey: text) {
                table.remove(record)
                owner[record] = nil
            } else {
                #expect(table.intern(Array(text.utf8), adding: false) == nil)
            }
            if step % 1000 == 999 {
                _ = table.trim()
                #expect(table.usedCount == model.count)
                for (text, record) in model {
                    #expect(table.intern(Array(text.utf8), adding: false) == record)
                    guard case .text(text) = table.identity(of: record) else {
                        Issue.record("\(text) has lost its name")
                        continue
                    }
                }
            }
        }
        for record in model.values { table.remove(record) }
        _ = table.trim()
        #expect(table.usedCount == 0)
        #expect(table.count == 0)
        #expect(table.memoryUse < 8192)
    }

    /// A trimmed table has more free numbers in its middle than buckets. They can all be given again.
    @Test(.timeLimit(.minutes(20))) func aTrimmedTableGrowsWhenItsFreeNumbersAreGiven() {
        var table = RecordNumbers(seed: 3)
        var records: [RecordID] = []
        for number in 0..<10_000 {
            if let record = table.intern(Array("first \(number)".utf8)) { records.append(record) }
        }
        for record in records[..<1_999] { table.remove(record) }
        for record in records[2_000...] { table.remove(record) }
        _ = table.trim()
        #expect(table.usedCount == 1)
        for number in 0..<5_000 {
            let text = Array("second \(number)".utf8)
            let record = table.intern(text)
            #expect(table.intern(text, adding: false) == record)
        }
        #expect(table.usedCount == 5_001)
        #expect(table.intern(Array("first 1999".utf8), adding: false) == records[1_999])
    }

    @Test func theTablesStayAsLargeAsWhatThereIs() throws {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        store.operations.retain(operation)
        var names: [Int] = []
        var bytes: [Int] = []
        for round in 0..<200 {
            let films = (0..<100).map { (index: Int) -> String in
                let id = "a film of which nobody has heard before, number \(round * 100 + index)"
                return
                    #"{"id":"\#(id)","title":"T","favourite":true,"director":{"id":"p\#(round)-\#(index)","name":"Irvin"}}"#
            }
            try store.write(#"{"data":{"films":[\#(films.joined(separator: ","))],"total":1}}"#, for: operation)
            _ = store.collector.collectGarbage()
            names.append(store.names.access { $0.records.usedCount })
            bytes.append(store.queue.memoryUse)
        }
        #expect(names.dropFirst(2).allSatisfy { $0 == names[2] }, "\(names.prefix(5)) ... \(names.suffix(3))")
        #expect(bytes.dropFirst(20).allSatisfy { $0 <= bytes[20] * 2 }, "\(bytes.prefix(5)) ... \(bytes.suffix(3))")
        #expect(store.records.capacity <= 2 * RecordPages.pageSize)
        #expect(store.records.rowCount == 201)
        #expect(store.check(operation).isAvailable)
        store.operations.releaseWithoutBuffer(operation)
        _ = store.collector.collectGarbage()
        #expect(store.records.rowCount <= 1)
        #expect(store.records.capacity <= RecordPages.pageSize)
        #expect(store.queue.memoryUse < bytes[2] / 2)
    }

    @Test func anAnswerThatFailedLeavesNoNames() throws {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        for round in 0..<50 {
            let body =
                #"{"data":{"films":[{"id":"n\#(round)","title":"T","director":{"id":"d\#(round)","name":null}}]}}"#
            #expect(throws: RelayError.InvalidResponse.self) { try store.write(body, for: operation) }
        }
        #expect(store.names.access { $0.records.usedCount } > 100)
        _ = store.collector.collectGarbage()
        #expect(store.names.access { $0.records.usedCount } == 1)
    }

    @Test func aReferenceToACollectedRecordNeverReadsAnother() throws {
        let store = Store()
        let operation = store.bind(Films.FilmQuery(id: "1"))
        try store.write(Films.film("1", "Alien"), for: operation)
        let snapshot = store.read(Films.FilmQuery.Data.self, at: operation.root, operation.reader)
        let reference = try #require(snapshot.data?.film?.row)
        #expect(reference.dataID == "1")
        _ = store.collector.collectGarbage()
        // Other records get the numbers.
        let other = store.bind(Films.FilmQuery(id: "2"))
        store.operations.retain(other)
        try store.write(Films.film("2", "Brazil"), for: other)
        let second = store.read(Films.FilmQuery.Data.self, at: other.root, other.reader)
        let newReference = try #require(second.data?.film?.row)
        #expect(newReference.record == reference.record, "the number is used again, or this test shows nothing")
        #expect(newReference != reference)
        let bound = try #require(store.bind(reference))
        let stale = store.read(Films.FilmRow.Data.self, at: bound.record, bound.selections)
        #expect(stale.data == nil)
        #expect(stale.isMissingData)
        #expect(reference.dataID == "")
        let good = try #require(store.bind(newReference))
        #expect(store.read(Films.FilmRow.Data.self, at: good.record, good.selections).data?.title == "Brazil")
    }

    @Test func numbersStayWhileSomebodyHoldsThem() throws {
        let store = Store()
        let operation = store.bind(Films.FilmQuery(id: "1"))
        // The response is read, and not in the store yet.
        let staged = try store.normalize(Array(Films.film("1", "Alien").utf8), for: operation)
        _ = store.collector.collectGarbage()
        #expect(store.record("1") != nil)
        store.operations.retain(operation)
        store.publish(staged, for: operation)
        _ = store.collector.collectGarbage()
        #expect(store.read(Films.FilmQuery(id: "1")).data?.film?.title == "Alien")
        // The collection runs inside an update.
        try store.update { source in
            let made = try source.create("local", type: "Film")
            _ = store.collector.collectGarbage()
            try made.setValue("Local", forField: "title")
            try source.root.setLinkedRecord(made, forField: "film", arguments: ["id": "1"])
        }
        _ = store.collector.collectGarbage()
        #expect(store.read(Films.FilmQuery(id: "1")).isMissingData, "it has no id")
        #expect(store.record("local") != nil)
    }

    /// A field that nothing selects may still link to a record, whose number must not be given to another.
    @Test func aLinkThatNobodyFollowsNeverLeadsToAnother() throws {
        let store = Store()
        let full = store.bind(Films.FilmQuery(id: "1"))
        let title = store.bind(Films.TitleQuery(id: "1"))
        try store.write(Films.film("1", "Alien"), for: full)
        store.operations.retain(title)
        _ = store.collector.collectGarbage()
        let other = store.bind(Films.TitleQuery(id: "2"))
        store.operations.retain(other)
        try store.write(#"{"data":{"film":{"id":"2","title":"Brazil"}}}"#, for: other)
        #expect(!store.check(full).isComplete)
        #expect(store.check(title).isAvailable)
        let film = try #require(store.record("1"))
        guard case .link(let director) = store.records.value(store.names.key("director"), of: film) else {
            Issue.record("the film has lost its director")
            return
        }
        #expect(store.records.state(of: director) == .unknown)
        #expect(store.names.dataID(of: director) == "p1")
    }
}
