import Testing

@testable import Baton

/// The records and fields that an update names, and the events for unknown names.
@Suite(.timeLimit(.minutes(20))) struct NamingTests {
    let stage = Stage()

    /// User `U:1`, whose type does not implement `Node`, and the films `1` and `9`, whose type does.
    private func seeded(_ environment: RelayEnvironment) throws {
        let plan = "{users:[U]{id:ID! name:String} films:[+Film]{id:ID! title:String!}}"
        let operation = environment.store.bind(
            .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan), variables: [:])
        environment.store.operations.retain(operation)
        try environment.store.write(
            #"{"data":{"users":[{"id":"1","name":"x"}],"films":[{"id":"1","title":"Alien"},{"id":"9","title":"Brazil"}]}}"#,
            for: operation)
    }

    /// A record that resembles no other is told too, but is no mistake.
    private var unknown: [LogEvent.UnknownName] {
        stage.log.events.compactMap { if case .unknownName(let event) = $0, !event.isAlone { event } else { nil } }
    }

    @Test func aRecordIsFoundByTypeAndID() throws {
        try seeded(stage.environment)
        try stage.environment.update { store in
            #expect(store.get("U", id: "1")?.dataID == "U:1")
            #expect(store.get("Film", id: "1")?.dataID == "1")
            #expect(store.get("U", id: "9") == nil)
            #expect(store.get("Unheard", id: "1") == nil)
            #expect(store.get("\("U"):\(1)")?.typename == "U")
        }
        #expect(stage.environment.dataID(of: "U", id: "1") == "U:1")
        #expect(stage.environment.dataID(of: "Film", id: "77") == "77")
        #expect(stage.environment.records[stage.environment.dataID(of: "U", id: "1")]?.typename == "U")
    }

    /// A response finds the record that an update has made by type and `id`, and the record has its `id`.
    @Test func aRecordThatIsMadeIsTheOneThatAnswersFind() throws {
        try seeded(stage.environment)
        try stage.environment.update { store in
            try store.create("U", id: "2").setValue("new", forField: "name")
            try store.create("Film", id: "3")
            #expect(throws: UpdateError.exists("U:1")) { try store.create("U", id: "1") }
        }
        let records = stage.environment.records
        #expect(records["U:2"]?.fields == ["id": .value("2"), "name": .value("new")])
        #expect(records["3"]?.fields == ["id": .value("3")])
    }

    @Test func theEnvironmentsOwnRuleCounts() throws {
        let environment = RelayEnvironment(
            network: stage.network,
            dataID: { type, fields in
                if case .string(let id)? = fields["id"] { DataID("\(type.rawValue.lowercased())/\(id)") } else { nil }
            })
        try seeded(environment)
        try environment.update { store in
            #expect(store.get("U", id: "1")?.dataID == "u/1")
            #expect(store.get("Film", id: "9")?.dataID == "film/9")
        }
    }

    @Test func aRecordIsFoundByReference() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let reference = try #require(handle.get(id: "1").data?.film?.row)
        try stage.environment.update { store in
            #expect(store.get(reference)?.value(forField: "title") == "Alien")
            try store.delete("1")
            #expect(store.get(reference) == nil)
        }
        let other = RelayEnvironment(network: stage.network)
        try other.update { store in #expect(store.get(reference) == nil) }
    }

    /// A layer that asked for a record by type and `id` runs again when the record appears, whatever its identity.
    @Test(arguments: [TypeName("U"), TypeName("Film")]) func aLayerIsThereWhenTheRecordComes(_ type: TypeName) throws {
        let layer = stage.environment.applyUpdate { store in
            try store.get(type, id: "1")?.setValue("shown", forField: "title")
        }
        try seeded(stage.environment)
        let id = stage.environment.dataID(of: type, id: "1")
        #expect(stage.environment.records[id]?.fields["title"] == .value("shown"))
        layer.revert()
    }

    // MARK: - Unknown names

    @Test func aRecordUnderAnotherNameIsTold() throws {
        try seeded(stage.environment)
        for _ in 0..<2 {
            try stage.environment.update { store in
                #expect(store.get("U:9") == nil)
                #expect(store.get("Film:1") == nil)
                #expect(store.get("nobody") == nil)
                #expect(store.get("client:local:7") == nil)
            }
        }
        #expect(unknown.map(\.name) == [.record("U:9"), .record("Film:1")])
        #expect(unknown.map(\.near) == [["9"], ["1", "U:1"]])
        #expect(
            unknown.first?.description
                == "the record 'U:9' is named, which is not in the store; near it: '9'")
        let explanation = stage.environment.explain("Film:1")
        #expect(explanation.nearestRecords == ["1", "U:1"])
        #expect(explanation.description.hasSuffix("Near it: '1', 'U:1'."))
        #expect(stage.environment.explain("U:11").nearestRecords == ["U:1"])
    }

    @Test func aRecordThatIsDeletedOrInvalidatedUnderAnotherNameIsTold() throws {
        try seeded(stage.environment)
        try stage.environment.update { store in
            try store.delete("Film:1")
            try store.delete("9")
            try store.delete("nobody", removingReferences: true)
        }
        stage.environment.invalidate("U:9")
        stage.environment.invalidate("Film:9")
        stage.environment.invalidate("1")
        stage.environment.invalidate("U:2")
        // The film 9 was deleted, so it is not suggested.
        #expect(unknown.map(\.name) == [.record("Film:1")])
        stage.environment.invalidate("Other:1")
        #expect(unknown.map(\.name) == [.record("Film:1"), .record("Other:1")])
        #expect(unknown.map(\.near) == [["1", "U:1"], ["1", "U:1"]])
    }

    @Test func aMisspelledFieldIsTold() throws {
        try seeded(stage.environment)
        for _ in 0..<2 {
            try stage.environment.update { store in
                let film = try #require(store.get("Film", id: "1"))
                try film.setValue("x", forField: "titel")
                try film.setValue("x", forField: "title")
                _ = store.root.linkedRecords(forField: "film")
                // No name is similar to these: a field of the client's own, and one that the record has by now.
                try film.setValue(true, forField: "isSelected")
                _ = film.value(forField: "titel")
            }
        }
        #expect(
            unknown.map(\.name) == [
                .field("titel", of: "1"), .field("film", of: .root), .uncheckedField("isSelected", of: "Film"),
            ])
        #expect(unknown.map(\.near) == [["title"], ["films"], []])
    }

    @Test func whatTheProgramSelectsIsNotTold() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        try stage.environment.update { store in
            let film = try #require(store.get("Film", id: "1"))
            try film.setValue("x", forField: "title")
            _ = store.root.linkedRecord(forField: "film", arguments: ["id": "1"])
            try film.setValue(1, forField: "__internal")
        }
        #expect(unknown.isEmpty)
    }

    /// A name that is right and only known to others must not count as a misspelled one.
    @Test(
        arguments: [
            ("titel", ["title", "tiles"], ["title"]), ("note", ["more", "name", "vote"], ["vote"]),
            ("note", ["more", "name"], []), ("nmae", ["name", "more"], ["name"]),
            ("Favorite", ["favourite"], ["favourite"]),
            ("birthday", ["birthplace", "holiday"], []), ("id", ["it", "if", "idle"], ["if", "it"]),
            (String(repeating: "a", count: 129), [String(repeating: "a", count: 128)], []),
        ] as [(String, [String], [String])])
    func anotherWordIsNoMisspelledOne(_ written: String, _ names: [String], _ near: [String]) {
        #expect(written.nearest(in: names + names) == near)
    }

    // MARK: - Optimistic responses

    @Test func anOptimisticResponseNamesWhatTheMutationSelects() async throws {
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        for (data, path, near): (JSONValue, [JSONValue.PathComponent], [String]) in [
            (["setFavorite": nil], ["setFavorite"], ["setFavourite"]),
            (
                ["setFavourite": ["film": ["id": "1", "favorite": true]]], ["setFavourite", "film", "favorite"],
                ["favourite"]
            ),
            (["setFavourite": ["film": ["id": "1", "zzzzzz": true]]], ["setFavourite", "film", "zzzzzz"], []),
        ] {
            let name = path.last?.description ?? ""
            let expected = RelayError.optimisticResponse(
                RelayError.InvalidResponse(.notSelected(name, near: near), path: path))
            await #expect(throws: expected) {
                try await stage.environment.commit(mutation, optimistic: .response(data))
            }
        }
        #expect(stage.network.sent.isEmpty)
        #expect(stage.log.publishes.isEmpty)
    }

    /// Without its ID an object would be a second record beside the one that it stands for.
    @Test func anOptimisticResponseHasTheIDsThatTheMutationSelects() async throws {
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        let expected = RelayError.optimisticResponse(
            RelayError.InvalidResponse(.missingID("id"), path: ["setFavourite", "film"]))
        await #expect(throws: expected) {
            try await stage.environment.commit(
                mutation, optimistic: .response(["setFavourite": ["film": ["favourite": true]]]))
        }
        #expect(stage.network.sent.isEmpty)
        #expect(stage.log.publishes.isEmpty)
    }

    @Test func conditionsAndTypesDecideWhichIDIsNeeded() throws {
        let plan = try SelectionPlan.decode(
            "(a){me:+*U{n:Int <U>{key=id:ID!} <V>{[a]id:ID!} <*W>{id:ID!}} list:[[U]]{id:ID n:Int} id:ID!}")
        func wrong(_ data: JSONValue) -> [JSONValue.PathComponent]? { plan.notSelected(in: data, needsIDs: true)?.path }
        #expect(wrong(["me": ["__typename": "U", "n": 1]]) == ["me"])
        #expect(wrong(["me": ["__typename": "U", "key": "1"]]) == nil)
        #expect(wrong(["me": ["__typename": "V", "n": 1]]) == nil)
        #expect(wrong(["me": ["n": 1], "list": nil]) == nil)
        #expect(wrong(["list": [nil, [["id": nil], ["n": 1]]]]) == ["list", 1, 1])
        #expect(plan.notSelected(in: ["list": [[["n": 1]]]]) == nil)
    }

    @Test func conditionsAndTypesDecideWhatIsSelected() throws {
        let plan = try SelectionPlan.decode(
            "(a){me:+*U{id:ID! [a]rows=films:[[+F]]{n:Int} <U>{x:Int} <V>{y:Int} <*W>{z:Int} json:%J}}")
        func wrong(_ data: JSONValue) -> [JSONValue.PathComponent]? { plan.notSelected(in: data)?.path }
        #expect(wrong(["me": ["id": "1", "x": 1, "y": 1, "z": 1, "json": ["any": 1], "__typename": nil]]) == nil)
        #expect(wrong(["me": ["__typename": "U", "x": 1, "z": 1]]) == nil)
        #expect(wrong(["me": ["__typename": "U", "y": 1]]) == ["me", "y"])
        #expect(wrong(["me": nil]) == nil)
        #expect(wrong(["me": ["rows": [nil, [["n": 1], ["m": 1]]]]]) == ["me", "rows", 1, 1, "m"])
        let error = try #require(plan.notSelected(in: ["me": ["films": []]]))
        #expect(error.description == "the operation does not select 'films' at me; it selects 'rows'")
    }

    /// The time to look for a path grows with its length and its colons, and the text may come from a server.
    @Test func aTextOfColonsIsNoPath() throws {
        let store = Store()
        for text in ["client:" + String(repeating: ":", count: 200_000), String(repeating: "client:a", count: 100_000)]
        {
            try store.update { records in
                #expect(records.get(DataID(text)) == nil)
                let record = try records.create(DataID(text), type: "R")
                #expect(record.dataID == DataID(text))
            }
            #expect(store.names.record(DataID(text), adding: false) != nil)
        }
    }
}

extension LogEvent.UnknownName {
    fileprivate var isAlone: Bool { if case .record = name { near.isEmpty } else { false } }
}
