// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct CommitTests {
    let stage = Stage()
    let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))

    private func commit(
        _ json: String,
        update: (@Sendable (RecordSourceProxy, Films.SetFavouriteMutation.Data) throws -> Void)? = nil
    ) async throws -> GraphQLResponse<Films.SetFavouriteMutation> {
        let environment = stage.environment
        let task = Task { [mutation] in try await environment.commit(mutation, update: update) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(json)
        return try await task.value
    }

    @Test("The updater runs in the publish of the response.")
    func theUpdaterRunsInThePublishOfTheAnswer() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        stage.log.clear()
        let response = try await commit(Films.favourite("1", true)) { store, data in
            let film = store.rootField("setFavourite", arguments: ["id": "1", "favourite": true])?.linkedRecord(
                forField: "film")
            let favourite = data.setFavourite?.film?.favourite == true
            try film?.setValue(.string("favourite \(favourite)"), forField: "title")
        }
        #expect(response.data?.setFavourite?.film?.favourite == true)
        #expect(handle.get(id: "1").data?.film?.title == "favourite true")
        #expect(stage.log.publishes.count == 1)
        #expect(stage.log.publishes.first?.recordsChanged == 1)
    }

    @Test(
        "A payload that is null is data: the updater runs, finds nothing, and its changes land.",
        arguments: ["", #","errors":[{"message":"no","path":["setFavourite"]}]"#])
    func aPayloadThatIsNullIsData(_ errors: String) async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        stage.log.clear()
        let runs = Guarded(0)
        let response = try await commit(#"{"data":{"setFavourite":null}\#(errors)}"#) { store, data in
            runs.withLock { $0 += 1 }
            #expect(data.setFavourite == nil && store.payload != nil)
            #expect(store.rootField("setFavourite") == nil && store.pluralRootField("setFavourite") == nil)
            try store.get("1")?.setValue("seen", forField: "title")
        }
        #expect(response.data != nil && response.data?.setFavourite == nil)
        #expect(response.errors.map(\.message) == (errors.isEmpty ? [] : ["no"]))
        #expect(runs.withLock { $0 } == 1)
        let film = try await stage.environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly)
        #expect(film.data?.film?.title == "seen")
        #expect(stage.log.unknownNames.isEmpty)
    }

    @Test("A root field is found without its arguments. Wrong ones find nothing, and the log has those that there are.")
    func aRootFieldIsFoundWithoutItsArguments() async throws {
        _ = try await commit(Films.favourite("1", true)) { store, _ in
            #expect(store.rootField("setFavourite")?.linkedRecord(forField: "film")?.dataID == "1")
            #expect(store.pluralRootField("setFavourite") == nil)
            #expect(store.rootField("other") == nil)
        }
        #expect(stage.log.unknownNames.isEmpty)
        _ = try await commit(Films.favourite("1", true)) { store, _ in
            #expect(store.rootField("setFavourite", arguments: ["id": "2"]) == nil)
            #expect(store.rootField("setFavourite", arguments: ["id": "3"]) == nil)
        }
        let events = stage.log.unknownNames
        #expect(events.map(\.name) == [.rootFieldArguments("setFavourite")])
        #expect(events.first?.near == ["setFavourite(favourite:,id:)"])
        #expect(events.allSatisfy { LogEvent.unknownName($0).isMistake })
        #expect(
            events.first?.description
                == "an update reads the root field 'setFavourite' with arguments that the response does not have; there are: 'setFavourite(favourite:,id:)'"
        )
    }

    @Test(
        "The names of arguments are told without their values.",
        arguments: [
            ("a", "a"), ("a(b:1)", "a(b:)"), (#"a(b:"x,y:\\\"(z",c:{"d":[1,{"e":")"}]},f:null)"#, "a(b:,c:,f:)"),
        ])
    func theNamesOfArgumentsHaveNoValues(_ key: String, _ names: String) {
        #expect(StorageKey(key).withoutValues == names)
    }

    @Test("An updater that throws leaves the store as it was.")
    func anUpdaterThatThrowsLeavesTheStoreAsItWas() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let epoch = stage.environment.store.epoch
        await #expect(throws: RelayError.updater(Unreachable())) {
            try await commit(Films.favourite("1", true)) { store, _ in
                try store.get("1")?.setValue("half", forField: "title")
                throw Unreachable()
            }
        }
        #expect(stage.environment.store.epoch == epoch)
        let response = try? await stage.environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly)
        #expect(response?.data?.film?.title == "one")
    }

    @Test("A response without data does not call the updater, and has the server's errors.")
    func errorsWithoutDataAreInTheResponseAndTheUpdaterIsNotCalled() async throws {
        let response = try await commit(QueryHandleTests.noDataWithErrors) { _, _ in Issue.record("called") }
        #expect(response.data == nil)
        #expect(response.errors == [GraphQLError(message: "down")])
    }

    @Test("A non-null field without a value fails a commit with an updater, and the error names the field.")
    func dataThatFallsFailsTheCommitWithTheFieldNamed() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let epoch = stage.environment.store.epoch
        let environment = stage.environment
        let task = Task {
            try await environment.commit(StrictMutation()) { _, _ in Issue.record("called") }
        }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(#"{"data":{"film":{"id":"2"}}}"#)
        let error = RelayError.missingNonNullField(path: ["film", "title"], component: "Strict")
        await #expect(throws: error) { try await task.value }
        #expect(
            error.description.hasPrefix("The response to 'Strict' has no value at 'film.title', which must not be null")
        )
        #expect(stage.environment.store.epoch == epoch)
        #expect(stage.log.updateFailures.isEmpty)
        // Without an updater the response is kept.
        async let response = environment.commit(StrictMutation())
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(#"{"data":{"film":{"id":"2"}}}"#)
        #expect(try await response.data == nil)
    }

    /// `mutation Strict { film { id title } }`, in which every field is non-null.
    private struct StrictMutation: GraphQLMutation {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Strict", kind: .mutation, text: "mutation Strict { film { id title } }",
            normalization: "{film:+Film!{id:ID! title:String!}}", reader: "{film:+Film!{id:ID! title:String!}}")
        var variables = Variables()
        init(variables: Variables) { self.variables = variables }
        init() {}

        struct Variables: GeneratedCode.Variables, Hashable {
            var __fields: GeneratedCode.InputFields { .none }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var film: Film { __row.object(0) }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var title: String { __row.string(1) }
            }
        }
    }

    @Test func cancellingTheTaskCancelsTheRequest() async {
        let environment = stage.environment
        let task = Task { [mutation] in try await environment.commit(mutation) }
        while stage.network.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        await stage.settle()
        #expect(environment.activity.counts.requests == 0)
    }

    @Test("In a task that is cancelled already no change is shown and no request is sent.")
    func inATaskThatIsCancelledAlreadyNothingIsShownOrSent() async {
        let environment = stage.environment
        let task = Task { [mutation] in
            while !Task.isCancelled { await Task.yield() }
            return try await environment.commit(
                mutation, optimistic: .update { store in try store.create("9", type: "Film") })
        }
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        await stage.settle()
        #expect(stage.network.sent.isEmpty)
        #expect(stage.log.fetches.isEmpty && stage.log.publishes.isEmpty)
    }

    @Test("Equal mutations are not shared.")
    func equalMutationsAreNotShared() async throws {
        let environment = stage.environment
        async let first = environment.commit(mutation)
        async let second = environment.commit(mutation)
        while stage.network.waiting < 2 { await Task.yield() }
        stage.network.answer(Films.favourite("1", true))
        stage.network.answer(Films.favourite("1", true))
        _ = try await (first, second)
        #expect(stage.network.sent.count == 2)
        #expect(stage.network.sent.allSatisfy { $0.kind == .mutation })
    }

    @Test func invalidatingMovesNothingAndIsLogged() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        stage.log.clear()
        stage.environment.invalidate()
        await stage.settle()
        #expect(handle.get(id: "1").data?.film?.title == "one")
        #expect(stage.log.publishes.map(\.source) == [.invalidation])
        #expect(stage.log.deliveries.isEmpty)
        #expect(
            QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork).get(id: "1").isLoading)
    }

    @Test func aRetentionHoldsUntilItIsReleased() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let operation = stage.environment.store.bind(Films.FilmQuery(id: "1"))
        let retention = stage.environment.retain(Films.FilmQuery(id: "1"))
        #expect(stage.environment.operations.isRetained(operation))
        retention.release()
        retention.release()
        #expect(!stage.environment.operations.isRetained(operation))
    }
}
