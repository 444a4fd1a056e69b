import Baton
import BatonHTTP

/// A storage that has only what would leave the process: digests and bytes. A test can make it fail or fall silent.
final class DigestStorage: ResponseStorage {
    enum Mode: Sendable { case working, failing, silent }

    private struct State {
        var mode = Mode.working
        var calls = 0
        var responses: [String: [UInt8]] = [:]
        var versions: [String: UInt64] = [:]
        var leases: [String: UInt64] = [:]
        var last: UInt64 = 0
    }

    private let state = Guarded(State())

    /// The number of calls, failed ones included.
    var calls: Int { state.withLock(\.calls) }
    /// Everything that is stored, as one text.
    var text: String {
        state.withLock { state in
            let texts = state.responses.map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }
            return (texts + state.versions.keys + state.leases.keys).joined(separator: "\n")
        }
    }
    var count: Int { state.withLock(\.responses.count) }
    var leases: Int { state.withLock { $0.leases.values.count { $0 != 0 } } }

    func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

    /// Loses everything, as a server does that starts again.
    func forget() {
        state.withLock { state in
            (state.responses, state.versions, state.leases) = ([:], [:], [:])
        }
    }

    private func begin() async throws {
        let mode = state.withLock { state in
            state.calls += 1
            return state.mode
        }
        switch mode {
        case .working: return
        case .failing: throw Broken()
        case .silent:
            while !Task.isCancelled { await Task.yield() }
            throw CancellationError()
        }
    }

    func read(_ key: ResponseKey) async throws -> ResponseReading {
        try await begin()
        return state.withLock { state in
            let versions = key.tags.map { Self.version($0, &state) }
            var response = key.digest.flatMap { state.responses[$0] }.flatMap(StoredResponse.init(bytes:))
            if let first = response, !key.isServed(by: first) {
                let name = key.digest(varyingBy: first.varyingNames) ?? ""
                response = state.responses[name].flatMap(StoredResponse.init(bytes:))
            }
            return ResponseReading(response: response, versions: versions)
        }
    }

    private static func version(_ tag: ResponseTag, _ state: inout State) -> UInt64 {
        if let version = state.versions[tag.digest] { return version }
        state.last += 1
        state.versions[tag.digest] = state.last
        return state.last
    }

    func write(_ response: StoredResponse, _ key: ResponseKey) async throws {
        try await begin()
        guard let digest = key.digest else { return }
        state.withLock { state in
            state.responses[digest] = response.bytes
            if !response.varyingNames.isEmpty, let name = key.digest(varyingBy: response.varyingNames) {
                state.responses[name] = response.bytes
            }
        }
    }

    func remove(_ key: ResponseKey) async throws {
        try await begin()
        state.withLock { state in
            if let digest = key.digest { state.responses[digest] = nil }
        }
    }

    func invalidate(_ tags: Set<ResponseTag>, removing: Bool) async throws {
        try await begin()
        state.withLock { state in
            for tag in tags {
                state.last += 1
                state.versions[tag.digest] = state.last
            }
        }
    }

    /// Leases have no time here: a test that needs one uses `ResponseMemory`.
    func lease(_ key: ResponseKey, for duration: Duration) async throws -> ResponseLease {
        try await begin()
        guard let name = key.leaseDigest else { return .unneeded }
        return state.withLock { state in
            if let token = state.leases[name] { return token == 0 ? .unneeded : .held }
            state.last += 1
            state.leases[name] = state.last
            return .granted(token: state.last)
        }
    }

    func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool, for duration: Duration) async throws {
        try await begin()
        guard let name = key.leaseDigest else { return }
        state.withLock { state in
            if state.leases[name] == token { state.leases[name] = isUnneeded ? 0 : nil }
        }
    }
}
