import Testing

@testable import Baton

/// The guarantees of `SubscriptionHandle` and of `RelayEnvironment.subscribe`, by name.
@Suite(.timeLimit(.minutes(20))) struct SubscriptionHandleTests {
    typealias Handle = SubscriptionHandle<FilmChangedSubscription>

    let network = EventNetwork()
    let log = EventLog()
    let environment: RelayEnvironment
    let one = Films.FilmQuery.Variables(id: "1")

    init() {
        environment = RelayEnvironment(network: network) { [log] in log.add($0) }
    }

    private func event(_ title: String) -> String { FilmChangedSubscription.event("1", title) }

    private func title(_ handle: Handle) -> String? { handle.result.data?.filmChanged?.title }

    @Test("`subscribe` with the variables of the last call starts nothing.")
    func sameVariables() async {
        let handle = Handle(in: environment)
        #expect(handle.subscribe(one) == .loading)
        #expect(handle.subscribe(one) == .loading)
        let stream = await network.stream()
        #expect(stream.request.kind == .subscription)
        #expect(stream.request.policy == nil)
        stream.send(event("a"))
        await until { title(handle) == "a" }
        _ = handle.subscribe(one)
        #expect(network.streams.count == 1)
        #expect(handle.isFetching)
    }

    @Test("Other variables end the old subscription.")
    func otherVariables() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        _ = await network.stream()
        _ = handle.subscribe(.init(id: "2"))
        _ = await network.stream(2)
        await until { network.endedStreams == 1 }
        network.streams[0].send(event("late"))
        network.streams[1].send(FilmChangedSubscription.event("2", "b"))
        await until { handle.result.data?.filmChanged?.id == "2" }
    }

    @Test("Each event is in the store, and changes from elsewhere are shown.")
    func events() async throws {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        await network.stream().send(event("a"))
        await until { title(handle) == "a" }
        try environment.update { try $0.get("1")?.setValue("changed", forField: "title") }
        #expect(title(handle) == "changed")
        network.streams[0].send(event("b"))
        await until { title(handle) == "b" }
        let read = try environment.update { $0.get("1")?.value(forField: "title") }
        #expect(read == .string("b"))
    }

    @Test("Each handle has a subscription of its own, and equal ones are not shared.")
    func ownSubscription() async {
        let (first, second) = (
            Handle(in: environment), Handle(in: environment, configuration: .init(headers: ["A": "b"]))
        )
        _ = first.subscribe(one)
        _ = second.subscribe(one)
        #expect(await network.stream(2).request.configuration.headers == ["A": "b"])
        network.streams[0].send(event("a"))
        await until { title(first) == "a" }
        #expect(second.result == .loading)
    }

    @Test("The response of an older event keeps its data.")
    func anOlderResponseKeepsWhatItShows() async throws {
        let events = environment.subscribe(FilmChangedSubscription(id: "1"))
        let stream = await network.stream()
        stream.send(event("a"))
        stream.send(FilmChangedSubscription.event("2", "b"))
        var iterator = events.makeAsyncIterator()
        let first = try await iterator.next()
        let second = try await iterator.next()
        environment.collectGarbage()
        #expect(first?.data?.filmChanged?.title == "a")
        #expect(second?.data?.filmChanged?.title == "b")
        let reset = environment.store.contents().map(\.id.rawValue)
        #expect(reset.contains("1") && reset.contains("2"))
    }

    @Test("An event without data leaves the data on show, and its errors are in `fetchError`.")
    func errors() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        let stream = await network.stream()
        stream.send(event("a"))
        await until { title(handle) == "a" }
        stream.send(#"{"data":null,"errors":[{"message":"no"}]}"#)
        await until { handle.fetchError != nil }
        #expect(title(handle) == "a")
        #expect(handle.errors == [GraphQLError(message: "no")])
        #expect(handle.isFetching)
        stream.send(event("b"))
        await until { title(handle) == "b" }
        #expect(handle.fetchError == nil)
    }

    @Test("An event that cannot be read ends the subscription, and `retry()` begins it again.")
    func unreadable() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        let stream = await network.stream()
        stream.send(event("a"))
        await until { title(handle) == "a" }
        let epoch = environment.store.epoch
        stream.send("[")
        await until { !handle.isFetching }
        #expect(handle.fetchError != nil)
        #expect(title(handle) == "a")
        #expect(environment.store.epoch == epoch)
        handle.retry()
        await network.stream(2).send(event("b"))
        await until { title(handle) == "b" }
    }

    @Test("The end of the stream is no failure; without any event the result is then `.success(nil)`.")
    func streamEnd() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        await network.stream().end()
        await until { !handle.isFetching }
        #expect(handle.result == .success(nil))
        #expect(handle.fetchError == nil)
        let other = Handle(in: environment)
        _ = other.subscribe(one)
        await network.stream(2).send(event("a"))
        network.streams[1].end()
        await until { !other.isFetching }
        #expect(title(other) == "a")
        #expect(other.fetchError == nil)
    }

    @Test("A lost connection leaves the data on show, and the reason is in `fetchError`.")
    func lostConnection() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        await network.stream().send(event("a"))
        await until { title(handle) == "a" }
        network.streams[0].end(throwing: Unreachable())
        await until { !handle.isFetching }
        #expect(title(handle) == "a")
        #expect(handle.fetchError == .transport(Unreachable()))
    }

    @Test("`transportState` is the last state that the transport has reported.")
    func transportState() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        let stream = await network.stream()
        #expect(handle.transportState == nil)
        stream.request.report(.connecting)
        #expect(handle.transportState == .connecting)
        stream.request.report(.reconnecting(attempt: 2))
        #expect(handle.transportState == .reconnecting(attempt: 2))
        handle.cancel()
        #expect(handle.transportState == nil)
        #expect(handle.fetchError == .cancelled)
        stream.request.report(.connected)
        #expect(handle.transportState == nil)
    }

    @Test("`restorations` counts how often events may have been missed.")
    func restorations() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        let stream = await network.stream()
        let states: [TransportState] = [
            .connecting, .reconnecting(attempt: 1), .connected, .connected, .reconnecting(attempt: 1),
            .reconnecting(attempt: 2), .connecting, .connected, .paused, .connecting, .connected,
        ]
        let counts = states.map { state in
            stream.request.report(state)
            return handle.restorations
        }
        #expect(counts == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2], "nothing is missed before the first connection")
        #expect(log.events.count { if case .subscriptionRestored = $0 { true } else { false } } == 2)
    }

    @Test("An event proves a connection of which the transport says nothing.")
    func restorationsAfterAnEvent() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        let stream = await network.stream()
        stream.send(event("a"))
        await until { title(handle) == "a" }
        stream.request.report(.reconnecting(attempt: 1))
        #expect(handle.restorations == 0)
        stream.request.report(.connected)
        #expect(handle.restorations == 1)
    }

    @Test("The end of the handle cancels the subscription.")
    func handleEnd() async {
        var handle: Handle? = Handle(in: environment)
        _ = handle?.subscribe(one)
        _ = await network.stream()
        handle = nil
        await until { network.endedStreams == 1 }
        await until { environment.activity.counts.requests == 0 }
    }

    @Test("An updater runs for each event, in its publish.")
    func updater() async throws {
        let handle = Handle(in: environment) { store, data in
            try store.get("1")?.setValue(.string("\(data.filmChanged?.title ?? "")!"), forField: "title")
        }
        _ = handle.subscribe(one)
        let stream = await network.stream()
        for title in ["a", "b"] {
            stream.send(event(title))
            await until { self.title(handle) == title + "!" }
        }
        let failing = Handle(in: environment) { _, _ in throw Unreachable() }
        _ = failing.subscribe(one)
        await network.stream(2).send(event("c"))
        await until { !failing.isFetching }
        #expect(failing.fetchError == .updater(Unreachable()))
        #expect(title(handle) == "b!")
    }

    @Test("The sequence has every event, and ends with the stream of the service.")
    func aSequenceHasEveryEventAndEndsWithTheStream() async throws {
        let events = environment.subscribe(FilmChangedSubscription(id: "1"))
        let stream = await network.stream()
        for number in 0..<200 { stream.send(event("\(number)")) }
        stream.send(#"{"data":null,"errors":[{"message":"no"}]}"#)
        stream.end()
        var count = 0
        for try await response in events {
            if count < 200 {
                #expect(response.data?.filmChanged?.id == "1")
            } else {
                #expect(response.errors.count == 1)
            }
            count += 1
        }
        #expect(count == 201)
    }

    @Test("A slow reader loses the oldest events, and the log reports the loss.")
    func aSlowReaderLosesTheOldestEventsAndTheLogSaysSo() async throws {
        let events = environment.subscribe(FilmChangedSubscription(id: "1"))
        let stream = await network.stream()
        for number in 0..<300 { stream.send(event("\(number)")) }
        stream.end()
        await until { environment.activity.counts.requests == 0 }
        var count = 0
        for try await _ in events { count += 1 }
        #expect(count == 256)
        let dropped = log.events.count { if case .eventDropped = $0 { true } else { false } }
        #expect(dropped == 44)
    }

    @Test("A sequence that is no longer read cancels the subscription.")
    func aSequenceThatIsNoLongerReadCancelsTheSubscription() async throws {
        let task = Task { [environment] in
            for try await _ in environment.subscribe(FilmChangedSubscription(id: "1")) {}
        }
        _ = await network.stream()
        task.cancel()
        try await task.value
        await until { network.endedStreams == 1 }
    }

    @Test("A reset of the store ends the subscription, and one with `refetching` begins it again.")
    func reset() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        await network.stream().send(event("a"))
        await until { title(handle) == "a" }
        environment.reset(refetching: true)
        await network.stream(2).send(event("b"))
        await until { title(handle) == "b" }
        environment.reset()
        #expect(handle.result == .loading && !handle.isFetching)
        await until { [environment] in environment.activity.counts.requests == 0 }
        #expect(network.streams.count == 2)
        _ = handle.subscribe(one)
        await network.stream(3).send(event("c"))
        await until { title(handle) == "c" }
    }

    @Test func aCancelledSubscriptionStaysCancelledAfterAReset() async {
        let handle = Handle(in: environment)
        _ = handle.subscribe(one)
        await network.stream().send(event("a"))
        await until { title(handle) == "a" }
        handle.cancel()
        for refetching in [false, true] {
            environment.reset(refetching: refetching)
            #expect(handle.result == .failure(.cancelled) && !handle.isFetching)
        }
        await until { [environment] in environment.activity.counts.requests == 0 }
        #expect(network.streams.count == 1)
        handle.retry()
        await network.stream(2).send(event("b"))
        await until { title(handle) == "b" }
    }

    /// `subscription FilmParts { filmChanged { id title ... @defer(label: "d") { rating } } }`
    private struct FilmPartsSubscription: GraphQLSubscription {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "FilmParts", kind: .subscription, text: "subscription FilmParts { }",
            normalization: "{filmChanged:+Film{id:ID! title:String! <>@defer(\"d\"){rating:Int}}}",
            reader: "{filmChanged:+Film{id:ID! title:String!}}")
        var variables: GeneratedCode.NoVariables
        typealias Data = FilmChangedSubscription.Data
    }

    @Test("An event may come in parts.")
    func parts() async throws {
        let handle = SubscriptionHandle<FilmPartsSubscription>(in: environment)
        _ = handle.subscribe()
        let stream = await network.stream()
        for (title, rating) in [("a", 1), ("b", 2)] {
            stream.send(#"{"data":{"filmChanged":{"id":"1","title":"\#(title)"}},"hasNext":true}"#)
            await until { handle.result.data?.filmChanged?.title == title }
            stream.send(#"{"label":"d","path":["filmChanged"],"data":{"rating":\#(rating)},"hasNext":false}"#)
            await until { [environment] in environment.records["1"]?.fields["rating"] == .value(.int(rating)) }
            #expect(handle.result.data?.filmChanged?.title == title)
            #expect(handle.isFetching)
        }
    }
}
