import RandomCases
import Testing

@testable import Baton

/// Storage keys with arguments contain a user's input; they are freed with the fields that used them.
@Suite struct KeyNumberTests {
    private static let search = GeneratedCode.OperationArtifact(
        name: "Search", kind: .query, text: "",
        normalization: "(text){search(text:$text):[+U]{id:ID! name:String match(text:$text):+M{score:Int}}}",
        reader: "(text){search(text:$text):[+U]{id:ID! name:String match(text:$text):+M{score:Int}}}")

    private func operation(_ text: String, _ store: Store) -> BoundOperation {
        store.bind(Self.search, variables: ["text": .string(text)])
    }

    private static let answer = #"{"data":{"search":[{"id":"1","name":"x","match":{"score":1}}]}}"#

    private func texts(_ store: Store) -> [String] { store.names.typesAndKeys.keys.filter { !$0.isEmpty } }

    /// The number of storage keys with arguments.
    private func keys(_ store: Store) -> Int { store.names.argumentKeyCount }

    @Test func manySearchesLeaveNothing() throws {
        let store = Store()
        var bytes: [Int] = []
        for round in 0..<60 {
            for index in 0..<100 {
                let operation = operation("what somebody typed, number \(round * 100 + index)", store)
                store.operations.retain(operation)
                try store.write(Self.answer, for: operation)
                store.operations.releaseWithoutBuffer(operation)
            }
            _ = store.collector.collectGarbage(.release)
            bytes.append(store.names.memoryUse)
        }
        #expect(bytes.dropFirst(10).allSatisfy { $0 <= bytes[5] * 2 }, "\(bytes)")
        _ = store.collector.collectGarbage()
        #expect(keys(store) == 0)
        #expect(!texts(store).contains { $0.contains("typed") })
        #expect(store.checkInvariants() == [])
    }

    /// A key is in use by a field, a bound plan, a place, a response that is being read, a kept version, or an update.
    @Test func numbersInUseStay() throws {
        let store = Store()
        let kept = operation("kept", store)
        store.operations.retain(kept)
        try store.write(Self.answer, for: kept)
        let bound = operation("bound", store)
        _ = store.collector.collectGarbage()
        #expect(keys(store) == 4)
        do {
            let staged = try store.normalize(Array(Self.answer.utf8), for: bound)
            _ = store.collector.collectGarbage()
            #expect(keys(store) == 4)
            store.publish(staged, for: bound)
        }
        var looked: StoreRecords? = StoreRecords(names: store.names) { store.records }
        try store.update { source in
            let field = source.root.field("other", arguments: ["text": "in an update"])
            _ = store.collector.collectGarbage()
            try field.setValue("seen")
        }
        #expect(keys(store) == 5)
        #expect(looked?[.root]?.fields.count == 2)
        looked = nil
        withExtendedLifetime(bound) { _ = store.collector.collectGarbage() }
        // Of the record itself only the selected fields are kept.
        #expect(texts(store).filter { $0.contains("(") }.allSatisfy { !$0.contains("update") })
        #expect(store.json(of: kept)["search"] != nil)
        store.operations.releaseWithoutBuffer(kept)
        #expect(store.checkInvariants() == [])
    }

    /// A number that was given to another text never stands for the old text.
    @Test func anOldPlanDoesNotReadWhatANewOneWrote() throws {
        let store = Store()
        do {
            let first = operation("first", store)
            try store.write(Self.answer, for: first)
        }
        _ = store.collector.collectGarbage()
        #expect(keys(store) == 0)
        let second = operation("second", store)
        try store.write(#"{"data":{"search":[]}}"#, for: second)
        let again = operation("first", store)
        #expect(store.missingPath(again) == ["search"])
        #expect(store.json(of: second) == ["search": []])
    }

    @Test func nothingIsLeftAfterAReset() async throws {
        let stage = Stage()
        let store = stage.environment.store
        for index in 0..<3 {
            let id = "a secret word \(index)"
            try await stage.seed(Films.FilmQuery(id: id), Films.film(id, "Alien"))
        }
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = handle.get(id: "a public word")
        stage.environment.reset()
        #expect(!texts(store).contains { $0.contains("secret") })
        #expect(store.names.access { $0.records.usedCount } == 1)
        #expect(store.operations.look { $0.entries.keys.allSatisfy { !$0.variables.text.contains("secret") } })
        #expect(!stage.environment.records.description.contains("secret"))
        #expect(store.journal.current.collections.count == 0)
        #expect(texts(store).contains { $0.contains("public") })
        #expect(store.checkInvariants() == [])
    }

    /// Numbers are held while the store is emptied: the names are freed by the next collection without holds.
    @Test func whatIsHeldDuringAResetGoesLater() async throws {
        let stage = Stage()
        let store = stage.environment.store
        try await stage.seed(Films.FilmQuery(id: "secret"), Films.film("secret", "Alien"))
        var looked: StoreRecords? = stage.environment.records
        stage.environment.reset()
        #expect(looked?["secret"] != nil)
        looked = nil
        _ = store.collector.collectGarbage(.release)
        #expect(!texts(store).contains { $0.contains("secret") })
        #expect(store.names.access { $0.records.usedCount } == 1)
    }

    /// The table of keys agrees with a dictionary.
    @Test func theTableFindsWhatItHoldsWhateverWasFreed() {
        var generator = SeededGenerator(seed: 41)
        var table = KeyNumbers()
        var held: [String: (key: StorageKeyID, use: KeyNumbers.Use)] = [:]
        for step in 0..<20_000 {
            let text = "f(n:\(Int.random(in: 0..<300, using: &generator)))"
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let key = table.number(of: text)
                if let known = held[text] {
                    #expect(known.key == key)
                } else if let use = table.uses(of: [key]).first {
                    #expect(!held.values.contains { $0.key == key }, "a number in use was given again")
                    held[text] = (key, use)
                }
            case 1: held[text] = nil
            default: _ = table.number(of: "plain\(step % 7)")
            }
            if step % 500 == 499 {
                var next: Int? = 0
                while let first = next { next = table.free(from: first, count: 64) { _ in false }.next }
                #expect(table.argumentCount == held.count)
                #expect(table.violations == [])
                for (text, entry) in held { #expect(table.text(of: entry.key) == text) }
            }
        }
        #expect((0..<7).allSatisfy { table.known("plain\($0)") != nil })
    }
}
