import Baton
import BatonTesting
import Dispatch

/// The messages of one answer, from the task that has them to the thread that sends them.
///
/// State: what was not taken, and whether anybody still reads, guarded by a lock of its own, a leaf.
final class AnswerQueue: Sendable {
    enum Item: Sendable, Equatable {
        /// A message for the client, and the same without secrets for the page.
        case message(Payload, shown: [UInt8], hasNext: Bool)
        case failure(FixtureFailure)
        /// Nothing more comes.
        case end
    }

    /// The messages that wait for a slow reader.
    static let capacity = 64

    private struct State {
        var items: [Item] = []
        var isLeft = false
        var task: Task<Void, Never>?
    }

    private let state = Guarded(State())
    private let count = DispatchSemaphore(value: 0)

    init(_ items: [Item] = []) {
        for item in items { _ = put(item) }
    }

    deinit { leave() }

    /// Adds an item; false if there is no room for it now, or if nobody reads any more.
    func put(_ item: Item, isBounded: Bool = false) -> Bool {
        let isThere = state.withLock { state in
            guard !state.isLeft, !isBounded || state.items.count < Self.capacity else { return false }
            state.items.append(item)
            return true
        }
        if isThere { count.signal() }
        return isThere
    }

    /// The next item; nil if none comes within the time.
    func take(within milliseconds: Int) -> Item? {
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(min(max(milliseconds, 0), 60_000)) * 1_000_000
        guard count.wait(timeout: DispatchTime(uptimeNanoseconds: end)) == .success else { return nil }
        return state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
    }

    /// Whether nobody reads any more.
    var isLeft: Bool { state.withLock(\.isLeft) }

    /// Ends the task that puts items when nobody reads any more.
    func ends(with task: Task<Void, Never>) {
        let isLeft = state.withLock { state in
            state.task = task
            return state.isLeft
        }
        if isLeft { task.cancel() }
    }

    /// Says that nobody reads any more.
    func leave() {
        let task = state.withLock { state in
            state.isLeft = true
            state.items = []
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}
