import Baton
import Synchronization

/// Sends what visitors submit, each of it once, however often the button is pressed.
///
/// A form carries a key, which stands for one review: the same form with other words, or for another film, is other
/// work. While the work under a key runs, a second submission with it waits for the same outcome; after
/// a success it has that. A visitor who does not want to wait any longer is told so, and the work goes on. After a
/// failure the next submission does the work again, with the key, under which a GraphQL server recognizes it.
final class Submissions: Sendable {
    typealias Outcome = Result<Void, RelayError>

    private struct Entry {
        var outcome: Outcome?
        var waiting: [Int: CheckedContinuation<Outcome?, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The keys of what has succeeded, the oldest first.
        var done: [String] = []
        var lastWaiter = 0
    }

    private static let most = 10_000
    private let state = Mutex(State())

    /// Does the work, or waits for the work that runs under the key. Returns nil if there is no outcome in time.
    func submit(
        _ key: String, within time: Duration, _ work: @escaping @Sendable () async -> Outcome
    ) async -> Outcome? {
        let isFirst = state.withLock { state in
            guard state.entries[key] == nil else { return false }
            state.entries[key] = Entry()
            return true
        }
        if isFirst { Task { [self] in finish(key, await work()) } }
        return await outcome(of: key, within: time)
    }

    private func outcome(of key: String, within time: Duration) async -> Outcome? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task { [self] in
            try? await Task.sleep(for: time)
            state.withLock { $0.entries[key]?.waiting.removeValue(forKey: number) }?.resume(returning: nil)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome?? in
                guard let entry = state.entries[key] else { return .some(nil) }
                if let outcome = entry.outcome { return outcome }
                state.entries[key]?.waiting[number] = continuation
                return .none
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private func finish(_ key: String, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            let waiting = state.entries[key]?.waiting ?? [:]
            if case .success = outcome {
                state.entries[key] = Entry(outcome: outcome)
                state.done.append(key)
            } else {
                state.entries[key] = nil
            }
            if state.done.count > Self.most {
                for key in state.done.prefix(Self.most / 10) { state.entries[key] = nil }
                state.done.removeFirst(Self.most / 10)
            }
            return waiting
        }
        for continuation in waiting.values { continuation.resume(returning: outcome) }
    }
}
