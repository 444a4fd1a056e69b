import Baton
import Foundation

/// Keeps what the page shows of the last requests.
///
/// State: the entries, guarded by a lock of their own, a leaf.
final class RequestLog: Sendable {
    /// What is kept of a request. Texts of clients are cut.
    struct Entry: Sendable {
        var date = Date()
        /// How the request came, such as `POST`.
        let transport: String
        let operation: String
        let variables: String
        let status: Int
        /// The number of messages of the answer.
        let messages: Int
        let bytes: Int
        let microseconds: Int
        /// The beginning of the answer.
        let answer: String
    }

    static let capacity = 50
    private let state = Guarded(State())

    private struct State {
        var entries: [Entry] = []
        var count = 0
    }

    /// The number of requests so far.
    var count: Int { state.withLock(\.count) }

    /// The last requests, the newest first.
    var entries: [Entry] { state.withLock(\.entries).reversed() }

    func note(_ entry: Entry) {
        state.withLock { state in
            if state.entries.count == Self.capacity { state.entries.removeFirst() }
            state.entries.append(entry)
            state.count += 1
        }
    }

    /// Notes a request that could not be read.
    func note(refusal problem: HTTPProblem) {
        note(
            Entry(
                transport: "HTTP", operation: "", variables: "", status: problem.status, messages: 1, bytes: 0,
                microseconds: 0, answer: problem.message))
    }
}
