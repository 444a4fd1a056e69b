import Baton

/// The life of handles: making them, the first read, notifying their observers, and releasing them.
struct HandleBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        try await life(into: &report)
        for observers in options.quick ? [1, 100] : [1, 100, 10_000] {
            let id = "handle.notify-us.\(observers)"
            guard options.wants(id) else { continue }
            let crowd = try await Crowd(observers: observers)
            try await report.figure(
                id, unit: "us", better: .lower,
                "from before the publish to the body of the last of \(observers) observers of a handle"
            ) {
                var times: [Double] = []
                for _ in 0..<options.runs(observers > 100 ? 30 : 200) { times.append(try await crowd.notify() * 1e6) }
                return Measurement(times)
            }
        }
        let id = "handle.million-kb"
        guard options.wants(id) else { return }
        let count = options.quick ? 100_000 : 1_000_000
        guard let bytes = try PeakMemory.heapBytes(ofHandles: count) else {
            return report.skip(id, because: "the system does not tell how much memory a process uses")
        }
        report.figure(
            id, unit: "KB", target: 1_024, better: .lower,
            "growth of the heap after \(count) handles were made, read and let go"
        ) { Measurement([bytes / 1024]) }
    }

    private func life(into report: inout Report) async throws {
        let rows = [
            ("handle.create-ns", "making a fragment handle, one of 10000 that live"),
            ("handle.first-read-ns", "its first read, which subscribes"),
            ("handle.drop-ns", "letting it go"),
        ]
        if rows.contains(where: { options.wants($0.0) }) {
            let handles = try await HandleRows(count: 10_000)
            show(rows, options.runs(30), into: &report) { handles.live() }
        }
        let queries = [
            ("handle.query-create-ns", "making a query handle, one of 10000 that live"),
            (
                "handle.query-first-read-ns",
                "its first read of ten users in the store, which retains them and subscribes"
            ),
            ("handle.query-drop-ns", "letting it go"),
        ]
        if queries.contains(where: { options.wants($0.0) }) {
            let environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: 10)))
            _ = try await environment.fetch(UserRowsQuery())
            show(queries, options.runs(10), into: &report) {
                HandleLife(of: 10_000) { _ in
                    QueryHandle<UserRowsQuery>(in: environment)
                } read: {
                    keep($0.get())
                }
            }
        }
    }

    private func show(
        _ figures: [(String, String)], _ runs: Int, into report: inout Report, _ live: () -> HandleLife
    ) {
        let lives = (0...runs).map { _ in live() }.dropFirst()
        let times = [lives.map(\.create), lives.map(\.read), lives.map(\.drop)]
        for ((id, what), times) in zip(figures, times) {
            report.figure(id, unit: "ns", better: .lower, what) { Measurement(times.map { $0 * 1e9 }) }
        }
    }
}

/// Users in a store, each to be shown by a handle.
struct HandleRows {
    private let environment: RelayEnvironment
    private let references: [FragmentReference<UserRow_user>]

    init(count: Int) async throws {
        environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: count)))
        references = try await environment.fetch(UserRowsQuery()).data?.users.map(\.fragments.userRow_user) ?? []
        guard references.count == count else { throw BenchmarkFailure(what: "the users could not be fetched") }
    }

    /// Makes a handle for each user, reads all handles, and releases all handles.
    func live() -> HandleLife {
        HandleLife(of: references.count) {
            FragmentHandle(references[$0], in: environment)
        } read: {
            keep($0.get())
        }
    }
}

/// The times for each of many handles, in seconds: making it, its first read, and its release.
struct HandleLife {
    let create: Double
    let read: Double
    let drop: Double

    init<Handle>(of count: Int, _ make: (Int) -> Handle, read look: (Handle) -> Void) {
        var handles: [Handle] = []
        handles.reserveCapacity(count)
        create = time { for number in 0..<count { handles.append(make(number)) } } / Double(count)
        read = time { for handle in handles { look(handle) } } / Double(count)
        drop = time { handles.removeAll(keepingCapacity: true) } / Double(count)
    }
}

/// One handle with many observers on one actor.
private final class Crowd {
    private actor Audience {
        private var heard = 0
        private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

        func hear() {
            heard += 1
            guard let (count, continuation) = waiting, heard >= count else { return }
            waiting = nil
            continuation.resume()
        }

        func wait(for count: Int) async {
            if heard >= count { return }
            await withCheckedContinuation { waiting = (count, $0) }
        }
    }

    private let environment: RelayEnvironment
    private let handle: FragmentHandle<UserRow_user>
    private let audience = Audience()
    private let tokens: [ObservationToken]
    private var changes = 0

    init(observers: Int) async throws {
        environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: 10)))
        guard let user = try await environment.fetch(UserRowsQuery()).data?.users.first else {
            throw BenchmarkFailure(what: "the users could not be fetched")
        }
        let handle = FragmentHandle(user.fragments.userRow_user, in: environment)
        self.handle = handle
        let audience = audience
        tokens = (0..<observers).map { _ in handle.observe(on: audience) { audience, _ in audience.hear() } }
        await audience.wait(for: observers)
    }

    /// Changes the handle's data; returns the time until all observers have the new data, in seconds.
    func notify() async throws -> Double {
        changes += 1
        let clock = ContinuousClock()
        let start = clock.now
        try environment.update { store in
            try store.get(DataID(UserPayload.id(0)))?.setValue(.string("Name \(changes)"), forField: "name")
        }
        await audience.wait(for: tokens.count * (changes + 1))
        return (clock.now - start).seconds
    }
}
