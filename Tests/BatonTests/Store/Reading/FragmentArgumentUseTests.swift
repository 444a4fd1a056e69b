import Testing

@testable import Baton

/// References with arguments, and all that is made of them.
@Suite(.timeLimit(.minutes(20))) struct FragmentArgumentUseTests {
    let stage = Stage(releaseBufferSize: 0)

    /// Fetches the query and keeps its data.
    private func user(
        _ size: Int, detailed: Bool? = nil, friends: Int = 0
    ) async throws -> (Cards.Query.Data.User, QueryHandle<Cards.Query>) {
        let handle = QueryHandle<Cards.Query>(in: stage.environment)
        let variables = Cards.Query(n: size, detailed: detailed).variables
        _ = handle.get(variables)
        await stage.answer(Cards.answer(size, name: detailed == true ? "Ann" : nil, friends: friends))
        return (try #require(handle.get(variables).data?.user), handle)
    }

    @Test func eachSpreadReadsWhatItAsksFor() async throws {
        let (user, handle) = try await user(2, detailed: true, friends: 3)
        let environment = stage.environment
        #expect(environment.read(user.small)?.image == "1-1")
        #expect(environment.read(user.large)?.image == "1-2")
        #expect(environment.read(user.plain)?.image == "1-16")
        #expect(environment.read(user.small)?.name == nil && environment.read(user.large)?.name == "Ann")
        #expect(user.friends?.map { $0.flatMap { environment.read($0.card)?.image } } == ["f0-2", "f1-2", "f2-2"])
        #expect(environment.read(try #require(environment.read(user.frame)).card)?.name == "Ann")
        #expect(environment.result(of: user.large).data?.image == "1-2")
        withExtendedLifetime(handle) {}
    }

    @Test func referencesWithOtherArgumentsAreOthers() async throws {
        let (user, handle) = try await user(2, friends: 2)
        let references = [user.small, user.large, user.plain]
        #expect(Set(references).count == 3)
        #expect(Set(references.map(\.dataID)) == ["1"])
        for reference in references {
            #expect(references.filter { $0 == reference }.count == 1)
        }
        // Read again, they are the same, though each read makes its own.
        let again = try #require(
            QueryHandle<Cards.Query>(in: stage.environment, fetchPolicy: .storeOnly)
                .get(Cards.Query(n: 2).variables).data?.user)
        #expect([again.small, again.large, again.plain] == references)
        #expect(again.small.hashValue == user.small.hashValue && again.small.target.use !== user.small.target.use)
        #expect(again.fragments == user.fragments && again == user)
        // The same values may come from a literal and from a variable.
        let (one, other) = try await self.user(1)
        #expect(one.small != one.large, "the large one is passed detailed, too")
        let frames = [user.frame, one.frame].compactMap { stage.environment.read($0)?.card }
        #expect(frames.count == 2 && frames[0] != frames[1])
        #expect(frames[0] == user.large && frames[1] == one.large)
        withExtendedLifetime((handle, other)) {}
    }

    /// Data whose spreads pass other arguments is other data, also if the same record was read with one operation.
    @Test func dataIsComparedWithWhatItPasses() async throws {
        let store = Store()
        let operation = store.bind(
            .init(
                name: "Q", kind: .query, text: "", normalization: "{a:Int}", reader: "{~F(x:1) ~F(x:2) ~F(x:1) ~F ~G}"),
            variables: [:])
        try store.write(#"{"data":{"a":1}}"#, for: operation)
        let row = try #require(store.read(AnyData.self, of: operation).data).__row
        let fragments = [
            GeneratedCode.FragmentArtifact(name: "F", typeCondition: "Query", reader: "(x){a:Int ~H(y:$x)}"),
            GeneratedCode.FragmentArtifact(name: "G", typeCondition: "Query", reader: "(x){a:Int ~H}"),
        ]
        let data = try (0..<5).map { field in
            let bound = try #require(store.bind(row.target(field), fragments[field / 4]))
            return AnyData(__row: try #require(store.records.read(at: bound.record, bound.selections).row))
        }
        #expect(data[0] == data[2] && data[0].hashValue == data[2].hashValue)
        #expect(data[0] != data[1] && data[1] != data[0] && data[0] != data[3])
        #expect(data[0].fragments != data[1].fragments && data[0].fragments == data[2].fragments)
        // Nothing is passed in both, by different plans.
        #expect(data[3] == data[4] && data[3].__row.shelf.plan !== data[4].__row.shelf.plan)
    }

    @Test func aHandleMovesToOtherArguments() async throws {
        let (user, list) = try await user(2, friends: 1)
        let handle = FragmentHandle(user.small, in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.image ?? "-") }
        await stage.settle()
        handle.show(user.large)
        handle.show(user.large)
        #expect(handle.get().data?.image == "1-2" && handle.reference == user.large)
        await stage.settle()
        func set(_ text: String, _ size: Int) async throws {
            try stage.environment.update {
                try $0.get("1")?.setValue(.string(text), forField: "image", arguments: ["size": .int(size)])
            }
            await stage.settle()
        }
        try await set("unseen", 1)
        try await set("seen", 2)
        handle.show(user.plain)
        await stage.settle()
        handle.show(user.small)
        await stage.settle()
        #expect(await screen.rows == ["1-1", "1-2", "seen", "1-16", "unseen"])
        #expect(!handle.isMissingData)
        withExtendedLifetime(list) {}
    }

    /// A handle on a query tells of other arguments, because what it shows are references.
    @Test func otherVariablesGiveOtherReferences() async throws {
        let (_, list) = try await user(2, friends: 1)
        let screen = Screen()
        let sizes = stage.environment
        list.observe(on: screen) { screen, result in
            screen.note(row: result.data?.user.flatMap { sizes.read($0.large)?.image } ?? "-")
        }
        await stage.settle()
        _ = list.get(Cards.Query(n: 3).variables)
        await stage.answer(Cards.answer(3))
        #expect(await screen.rows == ["1-2", "-", "1-3"])
    }

    @Test func whatIsMissingIsThatOfTheArguments() async throws {
        let (user, list) = try await user(2)
        let handle = FragmentHandle(user.large, in: stage.environment)
        #expect(!handle.isMissingData)
        let explanation = try #require(handle.explanation)
        #expect(explanation.availability.isAvailable)
        let missing = QueryHandle<Cards.Query>(in: stage.environment, fetchPolicy: .storeOnly)
        let other = try #require(missing.get(Cards.Query(n: 9).variables).data?.user)
        #expect(stage.environment.explain(other.small)?.availability.isAvailable == true)
        let lacking = try #require(stage.environment.explain(other.large))
        guard case .missing(let place) = lacking.availability else {
            Issue.record("\(lacking)")
            return
        }
        #expect(place.storageKey == "image(size:9)")
        #expect(lacking.description.contains("image(size:9)"))
        let shown = FragmentHandle(other.large, in: stage.environment)
        #expect(shown.isMissingData && shown.get() == .success(Cards.Card.Data?.none) || shown.get().data?.image == nil)
        withExtendedLifetime(list) {}
    }

    @Test func aHandleRetainsTheOperationOfItsReference() async throws {
        var list: QueryHandle<Cards.Query>?
        var handle: FragmentHandle<Cards.Card>?
        do {
            let (user, owner) = try await user(2)
            list = owner
            handle = FragmentHandle(user.large, in: stage.environment)
        }
        #expect(list != nil)
        list = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(handle?.get().data?.image == "1-2")
        handle = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(stage.environment.records["1"] == nil)
    }

    @Test func aResponseWithRecordsOfItsOwnIsReadTheSameWay() async throws {
        let environment = stage.environment
        let task = Task {
            try await environment.fetch(
                Cards.Query(n: 4, detailed: true), configuration: .init(writeResultsToStore: false))
        }
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(Cards.answer(4, name: "Ann"))
        let response = try await task.value
        let user = try #require(response.data?.user)
        #expect(response.read(user.large)?.image == "1-4" && response.read(user.large)?.name == "Ann")
        #expect(FragmentHandle(user.small).get().data?.image == "1-1")
        #expect(environment.read(user.large) == nil)
        let read = try Cards.Query.Data(.response(json: Cards.answer(5)), for: Cards.Query(n: 5)).user
        #expect(FragmentHandle(try #require(read).large).get().data?.image == "1-5")
        #expect(JSONValue(try #require(read)) == ["id": "1", "friends": []])
    }

    @Test func updatesWriteWhereTheReferencePoints() async throws {
        let (user, list) = try await user(2)
        try stage.environment.update { store in
            store.writable(user.large)?.image = "new"
            #expect(store.writable(user.small)?.image == "1-1")
            #expect(store.writable(Cards.Card.self, at: "1")?.image == "1-16")
            #expect(store.writable(Cards.Card.self, at: "1", variables: ["size": 2])?.image == "new")
            #expect(store.writable(Cards.Card.self, at: "1", variables: [:])?.image == "1-16")
        }
        #expect(stage.environment.read(user.large)?.image == "new")
        withExtendedLifetime(list) {}
    }

    /// One changed item of a long list leaves the others shared, with references that are equal.
    @Test func aLongListIsReadAgainInPart() async throws {
        let store = Store()
        let operation = store.bind(Cards.Query(n: 2))
        try store.write(Cards.answer(2, friends: 2000), for: operation)
        let first = store.read(Cards.Query.Data.self, at: .root, operation.reader)
        let old = try #require(first.data?.user?.friends)
        try store.update { store in
            try store.get("f77")?.setValue("other", forField: "id")
        }
        let second = store.read(Cards.Query.Data.self, at: .root, operation.reader, after: first.dependencies)
        let new = try #require(second.data?.user?.friends)
        for (place, (own, other)) in zip(old, new).enumerated() {
            #expect(own?.card == other?.card)
            #expect((own == other) == (place != 77))
        }
        let last = try #require(new.last??.card)
        let bound = try #require(store.bind(last))
        #expect(store.read(Cards.Card.Data.self, at: bound.record, bound.selections).data?.image == "f1999-2")
    }
}
