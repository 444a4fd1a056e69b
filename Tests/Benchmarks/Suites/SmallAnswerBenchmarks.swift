import Baton
import Synchronization

/// A common response of some 200 bytes: the time to reach an observer, and the cost of each response among many.
struct SmallAnswerBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let ids = [
            "small.deliver-us", "small.deliver-growth", "small.write-us", "small.write-growth", "small.hops-us",
            "small.page-us", "small.page-growth", "small.fetch-us",
        ]
        guard ids.contains(where: options.wants) else { return }
        let rounds = options.quick ? 40 : 400
        let alone = try await Stage(members: 0)
        try await report.figure(
            ids[0], unit: "us", target: 40, better: .lower,
            "from the bytes of a response of \(Self.body(1).count) bytes to the body of the observer"
        ) { Measurement(try await alone.deliveries(rounds).map { $0 * 1e6 }) }
        try await report.figure(
            ids[1], unit: "x", target: 1.5, better: .lower, "the same in a store of 20,000 records against an empty one"
        ) {
            let among = try await Stage(members: 10_000)
            var ratios: [Double] = []
            for _ in 0..<(rounds / 20 + 2) {
                let above = Measurement(try await among.deliveries(20)).median
                let below = Measurement(try await alone.deliveries(20)).median
                ratios.append(above / below)
            }
            return Measurement(Array(ratios.dropFirst()))
        }
        await report.figure(
            ids[4], unit: "us", better: .lower, "the changes of thread of such a delivery, with nothing between them"
        ) { Measurement(await Self.hops(rounds).map { $0 * 1e6 }) }
        try report.figure(
            ids[2], unit: "us", better: .lower, "a response of that size, read and published, of 1,000 in a row"
        ) { Measurement(try (0..<options.runs(15)).map { _ in try Self.write(1_000) * 1e6 }) }
        try report.figure(
            ids[3], unit: "x", target: 1.5, better: .lower, "the same of 10,000 in a row against 1,000"
        ) { try ratio(runs: options.runs(5), of: { try Self.write(10_000) }, to: { try Self.write(1_000) }) }
        let many = options.quick ? 4_000 : 20_000
        try report.figure(
            ids[5], unit: "us", better: .lower,
            "a page with a root field of its own, read, published and shown, of 1,000"
        ) { Measurement(try (0..<options.runs(5)).map { _ in try Self.pages(1_000, after: 0) * 1e6 }) }
        try report.figure(
            ids[6], unit: "x", target: 1.5, better: .lower, "the same after \(many) others, which are all held"
        ) {
            try ratio(
                runs: options.runs(3), of: { try Self.pages(1_000, after: many) },
                to: { try Self.pages(1_000, after: 0) })
        }
        var fetches: [Double] = []
        if options.wants(ids[7]) {
            for _ in 0..<options.runs(7) { fetches.append(try await Self.fetches(1_000, each: 10) * 1e6) }
        }
        report.figure(
            ids[7], unit: "us", better: .lower, "a fetch of a small response, of 1,000 at a time, without a network"
        ) { Measurement(fetches) }
    }

    /// The time for each of many fetches through one environment, in seconds. Each task has a query of its own.
    private static func fetches(_ tasks: Int, each count: Int) async throws -> Double {
        let environment = RelayEnvironment(network: PromptNetwork())
        return try await processorTimeOfTasks {
            try await withThrowingTaskGroup { group in
                for number in 0..<tasks {
                    group.addTask {
                        let query = NodeQuery(id: "user-\(number)")
                        for _ in 0..<count { _ = try await environment.fetch(query) }
                    }
                }
                try await group.waitForAll()
            }
        } / Double(tasks * count)
    }

    /// The time for each of many pages that a server shows one after the other, in seconds. Each page asks for a root
    /// field of its own, and its result is held.
    private static func pages(_ count: Int, after others: Int) throws -> Double {
        let store = Store()
        var held: [ReadResult<NodeQuery.Data>] = []
        func show(_ number: Int) throws {
            let operation = store.bind(NodeQuery(id: "user-\(number)"))
            store.operations.retain(operation)
            let mail = #""email":"ada.abel@mail.example.org""#
            let user = #"{"__typename":"User","id":"user-\#(number)","name":"Ada Abel",\#(mail)}"#
            let body = Array(#"{"data":{"node":\#(user)}}"#.utf8)
            store.publish(try store.normalize(body, for: operation), for: operation)
            held.append(store.read(NodeQuery.Data.self, at: operation.root, operation.reader))
        }
        for number in 0..<others { try show(number) }
        return try processorTime { for number in others..<others + count { try show(number) } } / Double(count)
    }

    /// The times of a delivery without Baton, in seconds: the task of the network resumes, and the observer's actor
    /// runs.
    private static func hops(_ count: Int) async -> [Double] {
        let network = ToldNetwork()
        let screen = Screen()
        let request = NetworkRequest(id: 1, operationName: "StatusQuery", kind: .query, text: "")
        var times: [Double] = []
        for round in 1...count {
            let task = Task {
                _ = try await network.send(request)
                await screen.show(round)
            }
            await network.isAsked()
            let start = ContinuousClock().now
            network.answer(body(round))
            let end = await screen.shows(round)
            times.append((end - start).seconds)
            _ = await task.result
        }
        return times
    }

    static func body(_ index: Int) -> [UInt8] {
        let author = #"{"id":"member-\#(index % 500)","name":"Ada Abel","email":"ada.abel@mail.example.org"}"#
        let text = "All is well, and the sun is shining on all of us"
        let status = #"{"id":"status-\#(index)","text":"\#(text)","count":\#(index),"author":\#(author)}"#
        return Array(#"{"data":{"status":\#(status)}}"#.utf8)
    }

    /// The time for each of many responses into one store, in seconds.
    private static func write(_ count: Int) throws -> Double {
        let store = Store()
        let operation = store.bind(StatusQuery())
        let bodies = (0..<count).map(body)
        return try processorTime {
            for body in bodies { store.publish(try store.normalize(body, for: operation), for: operation) }
        } / Double(count)
    }

    /// An observed handle, and a network that answers on command.
    private final class Stage {
        private let environment: RelayEnvironment
        private let network = ToldNetwork()
        private let screen = Screen()
        private let handle: QueryHandle<StatusQuery>
        private let token: ObservationToken
        private var round = 0

        init(members: Int) async throws {
            environment = RelayEnvironment(network: network)
            if members > 0 {
                network.answer(UserPayload.body(users: members, form: .members))
                _ = try await environment.fetch(MembersQuery())
            }
            handle = QueryHandle(in: environment, fetchPolicy: .storeAndNetwork)
            token = handle.observe(on: screen) { screen, result in screen.show(result.data?.status?.count) }
        }

        /// The times from the bytes to the observer, in seconds.
        func deliveries(_ count: Int) async throws -> [Double] {
            var times: [Double] = []
            for _ in 0..<count {
                round += 1
                _ = handle.get(fetchKey: round)
                await network.isAsked()
                let start = ContinuousClock().now
                network.answer(SmallAnswerBenchmarks.body(round))
                let end = await screen.shows(round)
                times.append((end - start).seconds)
            }
            return times
        }
    }

    private actor Screen {
        private var shown: (count: Int, time: ContinuousClock.Instant)?
        private var waiting: (count: Int, continuation: CheckedContinuation<ContinuousClock.Instant, Never>)?

        func show(_ count: Int?) {
            guard let count else { return }
            let now = ContinuousClock().now
            shown = (count, now)
            if let waiting, waiting.count == count {
                self.waiting = nil
                waiting.continuation.resume(returning: now)
            }
        }

        func shows(_ count: Int) async -> ContinuousClock.Instant {
            if let shown, shown.count == count { return shown.time }
            return await withCheckedContinuation { waiting = (count, $0) }
        }
    }
}

/// A network that answers every request, after other tasks had their turn.
private struct PromptNetwork: NetworkLayer {
    private let body = Array(
        #"{"data":{"node":{"__typename":"User","id":"user-1","name":"Ada Abel","email":"ada.abel@example.org"}}}"#.utf8)

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        await Task.yield()
        return NetworkResponse(body: body)
    }
}

/// A network whose requests wait until a test answers them.
private final class ToldNetwork: NetworkLayer {
    private struct State {
        var answer: [UInt8]?
        var request: CheckedContinuation<[UInt8], Never>?
        var asker: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let body = await withCheckedContinuation { continuation in
            let (answer, asker) = state.withLock { state -> ([UInt8]?, CheckedContinuation<Void, Never>?) in
                defer { (state.answer, state.asker) = (nil, nil) }
                if state.answer == nil { state.request = continuation }
                return (state.answer, state.asker)
            }
            if let answer { continuation.resume(returning: answer) }
            asker?.resume()
        }
        return NetworkResponse(body: body)
    }

    /// Waits for a request.
    func isAsked() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.request == nil { state.asker = continuation }
                return state.request != nil
            }
            if isThere { continuation.resume() }
        }
    }

    /// Answers the waiting request, or the next one.
    func answer(_ body: [UInt8]) {
        let request = state.withLock { state -> CheckedContinuation<[UInt8], Never>? in
            defer { state.request = nil }
            if state.request == nil { state.answer = body }
            return state.request
        }
        request?.resume(returning: body)
    }
}
