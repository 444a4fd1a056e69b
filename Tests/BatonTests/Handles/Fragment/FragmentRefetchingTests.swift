import Testing

@testable import Baton

/// The guarantees of `refetch`, one by one.
@Suite(.timeLimit(.minutes(20))) struct FragmentRefetchingTests {
    let stage = Stage(releaseBufferSize: 0)
    let service = TodoService(["a": 5, "b": 3, "a-done": 1])

    private func variables(_ position: Int) -> JSONValue? {
        stage.network.sent.indices.contains(position) ? .object(stage.network.sent[position].variables) : nil
    }

    @Test("The handle shows its old data until the data of the refetch is in the store, and then the new data.")
    func staysUntilTheNew() async throws {
        let (board, list) = try await stage.board(service)
        let screen = Screen()
        list.observe(on: screen) { screen, result in screen.note(row: result.data?.name ?? "-") }
        await stage.settle()
        list.refetch(id: "b")
        #expect(list.isFetching && list.get().data?.ids == ["a1", "a2"])
        await stage.answer(service)
        #expect(!list.isFetching && list.get().data?.ids == ["b1", "b2"])
        #expect(await screen.rows == ["User a", "User a", "User b"], "with the status of the refetch")
        withExtendedLifetime(board) {}
    }

    @Test("The `configuration` of the handle goes with each of its requests.") func configuration() async throws {
        let (board, list) = try await stage.board(service)
        #expect(list.configuration == RequestConfiguration())
        list.configuration = RequestConfiguration(errorPolicy: .failure, headers: ["X-A": "1"])
        list.loadNext(1)
        await stage.answer(service)
        list.refetch(id: "b")
        await stage.answer(#"{"data":{"node":null},"errors":[{"message":"no"}]}"#)
        #expect(list.fetchError == .hasErrors([GraphQLError(message: "no")]) && list.get().data?.ids.count == 3)
        list.retry()
        await stage.answer(service)
        #expect(list.get().data?.ids == ["b1", "b2"])
        #expect(stage.network.sent.dropFirst().map(\.configuration.headers) == Array(repeating: ["X-A": "1"], count: 3))
        list.configuration.writeResultsToStore = false
        let task = list.refetch()
        await stage.settle()
        await #expect(throws: RelayError.self) { try await task.finished() }
        withExtendedLifetime(board) {}
    }

    @Test("A variable that is left out keeps its value, also in a second refetch.")
    func variablesStay() async throws {
        let (board, list) = try await stage.board(service, kind: "done")
        list.refetch()
        await stage.answer(service)
        #expect(variables(1) == ["count": 2, "kind": "done", "id": "a"])
        list.refetch(count: 3)
        await stage.answer(service)
        #expect(variables(2) == ["count": 3, "kind": "done", "id": "a"])
        list.refetch(kind: .null)
        await stage.answer(service)
        #expect(variables(3) == ["count": 3, "kind": .null, "id": "a"])
        #expect(list.get().data?.ids == ["a1", "a2", "a3"])
        withExtendedLifetime(board) {}
    }

    @Test("A refetch with another identifier shows another object.")
    func anotherObject() async throws {
        let (board, list) = try await stage.board(service)
        let first = list.reference
        let task = list.refetch(id: "b")
        await stage.answer(service)
        try await task.finished()
        #expect(list.get().data?.name == "User b" && list.reference != first)
        try stage.environment.update { store in try store.get("b")?.setValue("Bea", forField: "name") }
        #expect(list.get().data?.name == "Bea")
        list.refetch()
        await stage.answer(service)
        #expect(variables(2) == ["count": 2, "id": "b"])
        var gone = service
        gone.gone = ["b"]
        list.refetch()
        await stage.answer(gone)
        #expect(list.get() == .success(nil), "the object does not exist any more")
        withExtendedLifetime(board) {}
    }

    @Test("The policy decides as for a query handle, but the old data is shown instead of `.loading`.")
    func policies() async throws {
        let (board, list) = try await stage.board(service)
        let (other, _) = try await stage.board(service, "b")
        list.refetch(id: "b", policy: .storeOrNetwork)
        #expect(!list.isFetching && list.get().data?.name == "User b", "the store has it")
        list.refetch(count: 1, policy: .storeOrNetwork)
        #expect(list.isFetching && list.get().data?.ids == ["b1", "b2"])
        await stage.answer(service)
        #expect(list.get().data?.ids == ["b1"])
        list.refetch(count: 2, id: "a", policy: .storeOnly)
        #expect(!list.isFetching && list.get().data?.name == "User a")
        list.refetch(id: "b", policy: .storeAndNetwork)
        #expect(list.isFetching && list.get().data?.name == "User b")
        await stage.fail()
        #expect(list.fetchError != nil && list.get().data?.name == "User b")
        list.refetch(id: "a", policy: .networkOrStore)
        #expect(list.get().data?.name == "User b")
        await stage.fail()
        #expect(list.get().data?.name == "User a", "the network is out of reach")
        #expect(stage.network.sent.count == 5)
        withExtendedLifetime((board, other)) {}
    }

    @Test("A refetch ends the refetch before it, whose callers get ``RelayError/cancelled``.")
    func replaced() async throws {
        let (board, list) = try await stage.board(service)
        let first = list.refetch(id: "b")
        await stage.settle()
        let second = list.refetch(count: 1)
        await stage.settle()
        await #expect(throws: RelayError.cancelled) { try await first.finished() }
        #expect(stage.network.cancelled == 1 && first.isFinished && !second.isFinished)
        await stage.answer(service)
        try await second.finished()
        #expect(list.get().data?.ids == ["a1"])
        withExtendedLifetime(board) {}
    }

    @Test("After a failure everything is shown as before, and the error is in `fetchError` until another load begins.")
    func failure() async throws {
        let (board, list) = try await stage.board(service)
        let task = list.refetch(id: "b")
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await task.finished() }
        #expect(list.fetchError == .transport(Unreachable()) && list.get().data?.ids == ["a1", "a2"])
        list.retry()
        #expect(list.fetchError == nil && list.isFetching)
        await stage.answer(#"{"data":null,"errors":[{"message":"down"}]}"#)
        #expect(list.fetchError == .noData([GraphQLError(message: "down")]) && list.get().data?.name == "User a")
        list.retry()
        await stage.answer(service)
        #expect(list.fetchError == nil && list.get().data?.name == "User b")
        list.retry()
        #expect(!list.isFetching)
        withExtendedLifetime(board) {}
    }

    @Test("A cancelled refetch leaves everything as it was.")
    func cancelled() async throws {
        let (board, list) = try await stage.board(service)
        let task = list.refetch(id: "b")
        await stage.settle()
        task.cancel()
        await stage.settle()
        #expect(!list.isFetching && list.fetchError == nil && list.get().data?.name == "User a")
        #expect(stage.network.cancelled == 1)
        list.refetch(id: "b")
        await stage.settle()
        list.cancel()
        await stage.settle()
        #expect(stage.network.waiting == 0 && list.get().data?.name == "User a")
        withExtendedLifetime(board) {}
    }

    @Test("The shown data is retained, and the data from before a refetch is released.")
    func retained() async throws {
        let (board, list) = try await stage.board(service)
        let store = stage.environment.store
        let owner = try #require(list.reference?.owner)
        #expect(store.operations.holderCount(of: owner) == 2)
        list.refetch(id: "b")
        await stage.answer(service)
        let first = try #require(list.reference?.owner)
        #expect(store.operations.holderCount(of: owner) == 1 && store.operations.holderCount(of: first) > 0)
        stage.environment.collectGarbage()
        #expect(list.get().data?.ids == ["b1", "b2"])
        list.refetch(count: 1)
        await stage.answer(service)
        #expect(store.operations.holderCount(of: first) == 0 && list.get().data?.ids == ["b1"])
        withExtendedLifetime(board) {}
    }

    @Test("Another reference ends a refetch and discards its data; the same reference changes nothing.")
    func anotherReference() async throws {
        let (board, list) = try await stage.board(service)
        let (other, _) = try await stage.board(service, "b")
        let given = list.reference
        list.refetch(count: 1)
        list.show(given)
        await stage.answer(service)
        list.show(given)
        #expect(list.get().data?.ids == ["a1"], "the parent draws again")
        let task = list.refetch()
        list.show(other.result.data?.node?.list)
        await #expect(throws: RelayError.cancelled) { try await task.finished() }
        #expect(list.get().data?.name == "User b" && !list.isFetching)
        list.show(nil)
        let nothing = list.refetch()
        await #expect(throws: RelayError.noReference(fragment: "TodoList")) { try await nothing.finished() }
        #expect(list.fetchError == .noReference(fragment: "TodoList") && list.get() == .success(nil))
        list.refetch(id: "a")
        await stage.answer(service)
        #expect(list.get().data?.name == "User a", "the identifier is enough")
        withExtendedLifetime(board) {}
    }

    @Test("The end of the handle cancels the requests that only it has waited for.")
    func end() async throws {
        let (board, list) = try await stage.board(service)
        var handle: FragmentHandle<Todos.TodoList>? = FragmentHandle(list.reference, in: stage.environment)
        let owner = try #require(list.reference?.owner)
        list.refetch(id: "b")
        handle?.refetch(id: "b")
        handle?.refetch(count: 1)
        await stage.settle()
        #expect(stage.network.waiting == 2)
        handle = nil
        await stage.settle()
        #expect(stage.network.waiting == 1 && stage.network.cancelled == 1)
        await stage.answer(service)
        #expect(list.get().data?.name == "User b" && stage.environment.store.operations.holderCount(of: owner) == 1)
        withExtendedLifetime(board) {}
    }

    @Test("A reset discards the data of the last refetch, and a reset with `refetching` requests it again.")
    func reset() async throws {
        let (board, list) = try await stage.board(service)
        list.refetch(id: "b")
        await stage.answer(service)
        list.refetch(count: 1)
        await stage.settle()
        stage.environment.reset(refetching: true)
        #expect(list.get() == .loading && list.isFetching)
        await stage.settle()
        while stage.network.waiting > 0 { await stage.answer(service) }
        #expect(list.get().data?.ids == ["b1", "b2"] && list.fetchError == nil)
        #expect(board.result.data?.node != nil)
        let sent = stage.network.sent.count
        stage.environment.reset()
        await stage.settle()
        #expect(list.get() == .loading && !list.isFetching && stage.network.sent.count == sent)
        _ = board.get(.init(id: "a"))
        await stage.answer(service)
        list.show(board.result.data?.node?.list)
        #expect(list.get().data?.ids == ["a1", "a2"])
    }

    @Test func aCancelledRefetchIsNotAskedForAfterAReset() async throws {
        let (board, list) = try await stage.board(service)
        list.refetch(id: "b")
        await stage.answer(service)
        list.refetch(count: 1)
        await stage.settle()
        list.cancel()
        board.cancel()
        let sent = stage.network.sent.count
        stage.environment.reset(refetching: true)
        await stage.settle()
        #expect(stage.network.sent.count == sent && stage.network.waiting == 0)
        #expect(!list.isFetching && list.get() == .loading)
        list.refetch()
        await stage.answer(service)
        #expect(list.get().data?.ids == ["a1", "a2"])
    }

    @Test func aForeignReferenceIsNotFetchedAgain() async throws {
        let (board, list) = try await stage.board(service)
        let handle = FragmentHandle(list.reference, in: Stage().environment)
        await #expect(throws: RelayError.foreignReference(fragment: "TodoList")) {
            try await handle.refetch().finished()
        }
        withExtendedLifetime(board) {}
    }

    @Test func aCancelledTaskStopsWaitingAndTheRefetchGoesOn() async throws {
        let (board, list) = try await stage.board(service)
        let refetch = list.refetch(id: "b")
        let waiting = Task { try await refetch.finished() }
        await stage.settle()
        waiting.cancel()
        #expect(await waiting.result.failure as? RelayError == .cancelled)
        await stage.answer(service)
        #expect(list.get().data?.name == "User b")
        withExtendedLifetime(board) {}
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
