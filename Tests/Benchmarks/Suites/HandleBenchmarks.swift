import Baton

/// The life of handles: making them, the first read, telling their observers, and letting them go.
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
        let figures = [
            ("handle.create-ns", "making a fragment handle, one of 10000 that live"),
            ("handle.first-read-ns", "its first read, which subscribes"),
            ("handle.drop-ns", "letting it go"),
        ]
        guard figures.contains(where: { options.wants($0.0) }) else { return }
        let rows = try await HandleRows(count: 10_000)
        let lives = (0...options.runs(30)).map { _ in rows.live() }.dropFirst()
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

    /// Makes a handle for each user, reads all of them and lets all of them go; returns the times for each handle, in
    /// seconds.
    func live() -> (create: Double, read: Double, drop: Double) {
        var handles: [FragmentHandle<UserRow_user>] = []
        handles.reserveCapacity(references.count)
        let create = time { for reference in references { handles.append(FragmentHandle(reference, in: environment)) } }
        let read = time { for handle in handles { keep(handle.get()) } }
        let drop = time { handles.removeAll(keepingCapacity: true) }
        let count = Double(references.count)
        return (create / count, read / count, drop / count)
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

    /// Changes what the handle shows; returns the time until all observers know it, in seconds.
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
