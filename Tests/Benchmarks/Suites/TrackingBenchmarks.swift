import Baton

/// Frames that track the data that they read.
struct TrackingBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        for count in options.quick ? [1_000] : [100, 10_000] {
            let id = "track.one-of-\(count)-us"
            guard options.wants(id) else { continue }
            let screen = try await TrackedScreen(rows: count)
            try await report.figure(
                id, unit: "us", target: 100, better: .lower,
                "from before the publish until a screen of \(count) rows has drawn the one that changed"
            ) {
                var times: [Double] = []
                for _ in 0..<options.runs(200) { times.append(try await screen.change() * 1e6) }
                return Measurement(times)
            }
        }
        let id = "track.first-frame-ns"
        guard options.wants(id) else { return }
        let screen = try await TrackedScreen(rows: 10_000)
        await report.figure(
            id, unit: "ns", better: .lower, "drawing one of 10000 rows as a frame of its own, all of them anew"
        ) {
            var times: [Double] = []
            for _ in 0..<options.runs(20) { times.append(await screen.drawAll() / 10_000 * 1e9) }
            return Measurement(times)
        }
    }
}

/// A screen whose rows are frames of their own inside the frame of the screen.
private actor TrackedScreen {
    private let environment: RelayEnvironment
    private let rows: [FragmentHandle<UserRow_user>]
    private var lines: [String]
    private var changes: [TrackedChange?]
    private var screen: TrackedChange?
    private var drawn: CheckedContinuation<Void, Never>?
    private var count = 0

    init(rows count: Int) async throws {
        let environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: count)))
        let users = try await environment.fetch(UserRowsQuery()).data?.users ?? []
        guard users.count == count else { throw BenchmarkFailure(what: "the users could not be fetched") }
        self.environment = environment
        rows = users.map { FragmentHandle($0.fragments.userRow_user, in: environment) }
        lines = rows.map { _ in "" }
        changes = rows.map { _ in nil }
        _ = drawAll()
    }

    /// Draws all rows again; returns the time, in seconds.
    func drawAll() -> Double {
        time {
            screen = environment.track { for index in rows.indices { draw(index) } }.changed
        }
    }

    private func draw(_ index: Int) {
        let (line, changed) = environment.track { rows[index].get().data?.name ?? "-" }
        lines[index] = line
        changes[index] = changed
        changed.deliver(on: self) { screen in
            screen.draw(index)
            screen.drawn?.resume()
            screen.drawn = nil
        }
    }

    /// Changes one row; returns the time until its line is drawn, in seconds.
    func change() async throws -> Double {
        count += 1
        let (index, name) = (count &* 7_919 % rows.count, "Name \(count)")
        let clock = ContinuousClock()
        let start = clock.now
        await withCheckedContinuation { continuation in
            drawn = continuation
            do {
                try environment.update { store in
                    try store.get(DataID(UserPayload.id(index)))?.setValue(.string(name), forField: "name")
                }
            } catch {
                drawn = nil
                continuation.resume()
            }
        }
        guard lines[index] == name else { throw BenchmarkFailure(what: "the row was not drawn") }
        return (clock.now - start).seconds
    }
}
