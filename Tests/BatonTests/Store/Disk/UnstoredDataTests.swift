import RandomCases
import StoreModel
import Testing

@testable import Baton

/// What a file never gets, and what readers find after a restart.
@Suite struct UnstoredDataTests {
    typealias UnstoredData = RelayEnvironment.UnstoredData

    private func disk(_ unstored: UnstoredData, over contents: MemoryDisk? = nil) -> MemoryDisk {
        let disk = MemoryDisk(unstored: unstored)
        guard let before = contents?.look({ $0.contents }) else { return disk }
        disk.look { $0.contents = before }
        return disk
    }

    /// Writes a response as the network brings it.
    private func land(_ body: String, in store: Store) throws {
        let operation = store.bind(HeroQuery())
        let staged = try store.normalize(
            Array(body.utf8), for: operation, fetch: FetchMark(time: .seconds(1), began: store.epoch))
        store.publish(staged, for: operation)
    }

    private func filled(_ disk: MemoryDisk) throws -> Store {
        let store = try Store(disk: disk)
        try land(HeroQuery.answer, in: store)
        try store.writeToDisk()
        return store
    }

    /// Returns true if some bytes of a file have a text.
    private func has(_ text: String, in disk: MemoryDisk) -> Bool {
        let contents = disk.look { $0.contents }
        let all =
            contents.records.flatMap { [$0.key.bytes, $0.value] } + Array(contents.forms.values)
            + Array(contents.notes.values)
        return all.contains { bytes in
            let wanted = Array(text.utf8)
            return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
        }
    }

    // MARK: - Types

    @Test func recordsOfATypeAndLinksToThemAreLeftOut() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        _ = try filled(disk)
        for text in ["1000", "Luke"] { #expect(!has(text, in: disk), "\(text)") }
        let store = try Store(disk: disk)
        let read = store.read(HeroQuery())
        #expect(read.data?.hero?.name == "R2-D2")
        #expect(read.isMissingData)
        // A shorter list would look complete.
        #expect(read.data?.hero?.friends == nil)
        #expect(store.missingPath(store.bind(HeroQuery()))?.description == "[hero, friends]")
        #expect(store.checkInvariants() == [])
    }

    @Test func aFieldThatLeadsToSuchARecordIsMissing() throws {
        let disk = disk(UnstoredData(types: ["Droid"]))
        _ = try filled(disk)
        for text in ["2001", "R2-D2", "Astromech", "X-Wing", "Naboo"] { #expect(!has(text, in: disk), "\(text)") }
        let store = try Store(disk: disk)
        #expect(store.read(HeroQuery()).data == nil)
        #expect(store.missingPath(store.bind(HeroQuery()))?.description == "[hero]")
    }

    /// What the file had of a record before it was of such a type is dropped, because it would be shown as if it were
    /// still so.
    @Test func aRecordThatBecomesOneLosesWhatTheFileHas() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        let store = try filled(disk)
        try land(
            #"{"data":{"hero":{"__typename":"Human","id":"2001","name":"Ben","friends":null}}}"#, in: store)
        try store.writeToDisk()
        for text in ["R2-D2", "Ben", "Astromech"] { #expect(!has(text, in: disk), "\(text)") }
        let again = try Store(disk: disk)
        #expect(again.read(HeroQuery()).data?.hero?.name == nil)
    }

    /// Nobody knows the type of a record that has left the memory, but the writer knows that it left it out.
    @Test func aLinkToARecordThatHasLeftTheMemoryIsLeftOut() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        let store = try filled(disk)
        try store.update { source in
            let luke = try #require(source.get("1000"))
            let note = try source.create("note", type: "Note")
            try note.setLinkedRecords([luke], forField: "about")
            try note.setLinkedRecord(luke, forField: "of")
            try note.setValue("kept", forField: "text")
        }
        // The note stays, because it is not written yet.
        store.collector.collectGarbage()
        let luke = try #require(store.names.record("1000", adding: false))
        #expect(store.records.state(of: luke) == .unknown)
        try store.writeToDisk()
        #expect(has("kept", in: disk))
        #expect(!has("1000", in: disk))
    }

    @Test func theDeletionOfARecordIsWrittenOnlyOverWhatTheFileHas() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        let store = try filled(disk)
        try store.update { try $0.delete("1000") }
        try store.update { try $0.delete("2001") }
        try store.writeToDisk()
        #expect(!has("1000", in: disk))
        let again = try Store(disk: disk)
        #expect(again.read(HeroQuery()).data?.hero == nil)
        #expect(!again.read(HeroQuery()).isMissingData)
    }

    // MARK: - Fields

    @Test func fieldsAreLeftOutWithWhatLiesBelowThem() throws {
        let disk = disk(UnstoredData(fields: ["Droid.ship", "Droid.primaryFunction", "Droid.friends"]))
        _ = try filled(disk)
        for text in ["Astromech", "X-Wing", "ship", "friends", "first"] { #expect(!has(text, in: disk), "\(text)") }
        // A record of its own is reached by other ways too.
        #expect(has("Luke", in: disk))
        let store = try Store(disk: disk)
        let hero = store.read(HeroQuery()).data?.hero
        #expect(hero?.name == "R2-D2")
        #expect(hero?.mass == 32)
        #expect(hero?.asDroid?.primaryFunction == nil)
        #expect(store.missingPath(store.bind(HeroQuery())) != nil)
    }

    @Test func aFieldOfTheRootIsLeftOutWithItsArguments() throws {
        let disk = disk(UnstoredData(fields: ["Query.hero"]))
        _ = try filled(disk)
        #expect(!has("JEDI", in: disk))
        #expect(has("R2-D2", in: disk))
        #expect(try Store(disk: disk).read(HeroQuery()).data?.hero == nil)
    }

    /// The list of a connection is kept under a key that has the name of its field.
    @Test func theListOfAConnectionGoesWithItsField() {
        let names = NameTable()
        var filter = UnstoredFilter(UnstoredData(fields: ["User.films", "User.a_b"]), names, LeftOutRecords())
        let user = names.type("User")
        for key in ["films", "films(first:1)", "__films_connection", "__List_films_connection(of:1)", "__X_a_b_handle"]
        {
            let found = [user, names.rootType, names.type("Film")].map { filter.leavesOut(names.key(key), of: $0) }
            #expect(found == [true, true, false], "\(key)")
        }
        for key in ["film", "newfilms", "__newfilms_connection", "__filmsize_connection", "a", "__a_connection"] {
            let isLeftOut = filter.leavesOut(names.key(key), of: user)
            #expect(!isLeftOut, "\(key)")
        }
    }

    /// An edge that the store keeps has the ids of its connection and its node in its own.
    @Test(arguments: [UnstoredData(fields: ["Query.todos"]), UnstoredData(types: ["Todo"])])
    func theEdgesOfAConnectionAreLeftOut(_ unstored: UnstoredData) throws {
        let disk = disk(unstored)
        for round in 0..<2 {
            let store = try Store(disk: disk)
            let nodes = ["secret-\(round)", "secret-\(round + 1)"]
            try store.land(
                .init(edges: nodes.map { .init($0, cursor: "cursor of \($0)") }, info: .init(end: "end")),
                .init(first: 2, kind: "filter"))
            // An edge that an update makes, and one that moves to another node.
            try store.update { source in
                let arguments: [String: JSONValue] = ["kind": "filter"]
                let connection = try #require(
                    source.connection(on: source.root, key: TodoConnection.key, filters: arguments))
                let todo = try source.create(DataID("secret-added-\(round)"), type: "Todo")
                try todo.setValue("secret text", forField: "text")
                try connection.append(node: todo)
            }
            #expect(store.todos(kind: "filter").data?.todos?.nodes.count == 3)
            try store.writeToDisk()
            if unstored.types.isEmpty {
                // The nodes have ids of their own, and other fields may lead to them.
                for text in ["cursor", "filter", "__edge"] { #expect(!has(text, in: disk), "\(text)") }
            } else {
                for text in ["secret", "cursor of", "__edge"] { #expect(!has(text, in: disk), "\(text)") }
            }
        }
        #expect(try Store(disk: disk).todos(kind: "filter").isMissingData)
    }

    /// A link may outlive the record to which it leads.
    @Test func aLinkToADeletedRecordIsLeftOut() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        let store = try filled(disk)
        try store.update { source in
            // One that was never written, and one that was judged before.
            let guest = try source.create("3000", type: "Human")
            let hero = try #require(source.get("2001"))
            try hero.setLinkedRecord(guest, forField: "guest")
            try hero.setLinkedRecord(source.get("1000"), forField: "friend")
            try source.delete("3000")
            try source.delete("1000")
        }
        try store.writeToDisk()
        for text in ["3000", "1000"] { #expect(!has(text, in: disk), "\(text)") }
        #expect(try Store(disk: disk).read(HeroQuery()).data?.hero?.name == "R2-D2")
    }

    /// An update may change what lies below a record that is not in memory.
    @Test func whatLiesBelowARecordThatIsNotInMemoryIsWritten() throws {
        let disk = disk(UnstoredData(types: ["Human"]))
        _ = try filled(disk)
        let store = try Store(disk: disk)
        try store.update { source in
            try #require(source.get("client:2001:ship")).setValue("Y-Wing", forField: "title")
        }
        try store.writeToDisk()
        #expect(has("Y-Wing", in: disk))
    }

    // MARK: - Operations

    @Test func whatAnOperationBringsIsLeftOut() throws {
        let disk = disk(UnstoredData(operations: ["Hero"]))
        let store = try filled(disk)
        try store.update { try $0.create("note", type: "Note").setValue("kept", forField: "text") }
        try store.writeToDisk()
        for text in ["1000", "2001", "Luke", "R2-D2", "JEDI", "X-Wing"] { #expect(!has(text, in: disk), "\(text)") }
        #expect(has("kept", in: disk))
        #expect(try Store(disk: disk).read(HeroQuery()).data?.hero == nil)
    }

    /// An older value would be shown after a restart as if nothing had come after it.
    @Test func anOlderValueGoesWithTheNewerOne() throws {
        let before = disk(UnstoredData())
        _ = try filled(before)
        let disk = disk(UnstoredData(operations: ["Hero"]), over: before)
        let store = try Store(disk: disk)
        try land(#"{"data":{"hero":{"__typename":"Droid","id":"2001","name":"New"}}}"#, in: store)
        try store.writeToDisk()
        for text in ["R2-D2", "New"] { #expect(!has(text, in: disk), "\(text)") }
        // What the response did not have stays.
        #expect(has("Astromech", in: disk))
        // In one batch too.
        let other = try Store(disk: self.disk(UnstoredData(operations: ["Other"])))
        try land(HeroQuery.answer, in: other)
        #expect(other.read(HeroQuery()).data?.hero?.name == "R2-D2")
    }

    // MARK: - Names

    @Test(arguments: ["email", "User.", ".email", "User.a.b", ""]) func aFieldWithoutATypeIsRefused(_ field: String) {
        #expect(throws: PersistenceError.self) { try Store(disk: disk(UnstoredData(fields: [field]))) }
    }

    @Test func theTextNamesEverythingInOneOrder() {
        let data = UnstoredData(types: ["B", "A"], fields: ["A.b"], operations: ["C"])
        #expect(data.text == "field A.b\noperation C\ntype A\ntype B")
        #expect(UnstoredData().isEmpty)
    }

    // MARK: - A model

    @Test(arguments: RandomCases.seeds(60, from: 0 as UInt64))
    func aRestartFindsWhatIsLeftInTheModel(_ seed: UInt64) throws {
        var history = try UnstoredHistory(seed: seed)
        try history.run(steps: 60)
    }
}
