import Baton
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Answers by a closure, which may wait, and keeps what was asked.
final class Server: NetworkLayer {
    private let answer: @Sendable (NetworkRequest) async throws -> String
    private let asked = Mutex<[NetworkRequest]>([])

    init(_ answer: @escaping @Sendable (NetworkRequest) async throws -> String) {
        self.answer = answer
    }

    var requests: [NetworkRequest] { asked.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        asked.withLock { $0.append(request) }
        return NetworkResponse(body: Array(try await answer(request).utf8))
    }
}

/// A server that cannot be reached.
struct Unreachable: Error {}

/// Is opened once; who waits goes on then.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Ends the program with a status of 1 if the two differ.
func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) {
    if found != wanted { fail("\(what): \(found) and not \(wanted)") }
}

func fail(_ text: String) -> Never {
    print("wrong: \(text)")
    exit(1)
}

/// Asks again for two seconds, until the closure is true.
func eventually(_ what: String, isolation: isolated (any Actor)? = #isolation, _ isTrue: () async -> Bool) async {
    for _ in 0..<400 {
        if await isTrue() { return }
        try? await Task.sleep(for: .milliseconds(5))
    }
    fail("\(what) did not come")
}

func thrown<Value>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// Returns the value that a request sent for a variable, as JSON; `nil` if it was left out.
func variable(_ name: String, of request: NetworkRequest) -> String? {
    request.variables.first { $0.name == name }.map { $0.value.text }
}
