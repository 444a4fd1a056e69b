/// The turns of commits that are sent one after another, by the names of their queues.
///
/// State: guarded by a lock of its own, a leaf.
final class SerialTurns: Sendable {
    private struct State {
        /// The commits that wait for their turn, in order, by queue. A queue without an entry is free.
        var waiting: [String: [SerialTurn]] = [:]
        /// The commits whose requests have not begun, by number: waiting commits, and commits whose turn has just come.
        var unsent: [Int: SerialTurn] = [:]
        var last = 0
    }

    private let state = Guarded(State())

    /// Enters a queue. The result's `start` is set when it is the caller's turn, possibly at once.
    func enter(_ queue: String, _ operationName: String) -> SerialTurn {
        let (turn, isFree) = state.withLock { state in
            state.last += 1
            let turn = SerialTurn(queue, operationName, number: state.last)
            state.unsent[turn.number] = turn
            let isFree = state.waiting[queue] == nil
            state.waiting[queue, default: []] += isFree ? [] : [turn]
            return (turn, isFree)
        }
        if isFree { turn.start.set(.success(())) }
        return turn
    }

    /// The number of commits that wait for their turn in a queue.
    func count(in queue: String) -> Int { state.withLock { $0.waiting[queue]?.count ?? 0 } }

    /// The commits whose requests have not begun, in the order of their calls.
    var unsent: [SerialTurn] { state.withLock { $0.unsent.values.sorted { $0.number < $1.number } } }

    /// Notes that the request of a commit has begun, or that it never will.
    func noteSent(_ turn: SerialTurn) { _ = state.withLock { $0.unsent.removeValue(forKey: turn.number) } }

    /// Leaves a queue before the turn has come; `start` is then a failure. Does nothing if the turn has come.
    func leave(_ turn: SerialTurn) {
        let isWaiting = state.withLock { state in
            guard let index = state.waiting[turn.queue]?.firstIndex(where: { $0 === turn }) else { return false }
            state.waiting[turn.queue]?.remove(at: index)
            return true
        }
        if isWaiting { turn.start.set(.failure(.cancelled)) }
    }

    /// Ends a turn, and gives the next one to the commit that has waited longest.
    func end(_ turn: SerialTurn) {
        let next = state.withLock { state -> SerialTurn? in
            guard state.waiting[turn.queue]?.isEmpty == false else {
                state.waiting[turn.queue] = nil
                return nil
            }
            return state.waiting[turn.queue]?.removeFirst()
        }
        next?.start.set(.success(()))
    }
}

/// A commit in a queue.
final class SerialTurn: Sendable {
    let queue: String
    let operationName: String
    /// A number that no other commit in a queue of the same environment has, in the order of their calls.
    let number: Int
    /// Set when it is the commit's turn.
    let start = AwaitedResult<Void>()

    init(_ queue: String, _ operationName: String, number: Int) {
        (self.queue, self.operationName, self.number) = (queue, operationName, number)
    }
}
