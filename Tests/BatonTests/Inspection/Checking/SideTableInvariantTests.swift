import Testing

@testable import Baton

/// The invariants of layers, stamps, errors and the journal: each check is shown to fail on a broken store.
@Suite struct SideTableInvariantTests {
    private static func filled(_ options: StoreOptions = StoreOptions()) throws -> Store {
        let store = Store(options: options)
        let operation = store.bind(HeroQuery())
        let mark = FetchMark(time: .seconds(1), began: store.epoch)
        let staged = try store.normalize(Array(HeroQuery.answer.utf8), for: operation, fetch: mark)
        store.publish(staged, for: operation)
        return store
    }

    @Test func whatIsCoveredWithoutALayerIsSeen() throws {
        let store = try Self.filled()
        _ = store.apply({ try $0.get("1000")?.setValue("Other", forField: "name") })
        #expect(store.checkInvariants() == [])
        store.queue.newest.change { records in
            let record = store.record("2001") ?? .root
            records.covered[record] = records.whole(record)
        }
        #expect(store.checkInvariants().contains { $0.contains("is covered by no layer") })
    }

    @Test func whatALayerWritesAndIsNotCoveredIsSeen() throws {
        let store = try Self.filled()
        _ = store.apply({ try $0.get("1000")?.setValue("Other", forField: "name") })
        store.queue.newest.change { $0.covered = [:] }
        #expect(store.checkInvariants().contains { $0.contains("does not have it apart") })
    }

    @Test func aStampThatStandsForNothingIsSeen() throws {
        let store = try Self.filled()
        #expect(store.checkInvariants() == [])
        store.queue.newest.change { $0.stamps.set(.root, 12345) }
        #expect(store.checkInvariants().contains { $0.contains("stands for nothing") })
    }

    @Test func anErrorAtAValueIsSeen() throws {
        let store = try Self.filled()
        let key = store.names.key("name")
        let record = try #require(store.record("1000"))
        store.queue.newest.change { $0.fieldErrors.add(GraphQLError(message: "late"), record, key) }
        #expect(store.checkInvariants().contains { $0.contains("has a value and errors") })
    }

    @Test func anErrorOfARecordThatIsGoneIsSeen() throws {
        let store = try Self.filled()
        let key = store.names.key("name")
        try store.update { try $0.delete("1000") }
        let record = try #require(store.record("1000"))
        store.queue.newest.change { $0.fieldErrors.add(GraphQLError(message: "late"), record, key) }
        #expect(store.checkInvariants().contains { $0.contains("has errors and does not exist") })
    }

    @Test func aJournalOfTheFutureIsSeen() throws {
        let store = try Self.filled(StoreOptions(history: StoreOptions.History(fields: true)))
        #expect(store.checkInvariants() == [])
        store.journal.notePublish(by: .update, at: store.epoch + 1)
        #expect(store.checkInvariants().contains { $0.contains("after the newest") })
    }
}
