/// The turns of commits that are sent one after the other, by the name of their queue.
///
/// State: guarded by a lock of its own, a leaf.
final class SerialTurns: Sendable {
    /// The commits that wait, in order, by queue. A queue without an entry is free.
    private let waiting = Guarded<[String: [Reply<Void>]]>([:])

    /// Enters a queue. The reply comes when it is the caller's turn; it may be there already.
    func enter(_ queue: String) -> Reply<Void> {
        let reply = Reply<Void>()
        let isFree = waiting.withLock { waiting in
            guard waiting[queue] == nil else {
                waiting[queue]?.append(reply)
                return false
            }
            waiting[queue] = []
            return true
        }
        if isFree { reply.give(.success(())) }
        return reply
    }

    /// The number of commits that wait in a queue.
    func count(in queue: String) -> Int { waiting.withLock { $0[queue]?.count ?? 0 } }

    /// Leaves a queue before the turn has come; the reply is then a failure. Does nothing if the turn has come.
    func leave(_ queue: String, _ reply: Reply<Void>) {
        let isWaiting = waiting.withLock { waiting in
            guard let index = waiting[queue]?.firstIndex(where: { $0 === reply }) else { return false }
            waiting[queue]?.remove(at: index)
            return true
        }
        if isWaiting { reply.give(.failure(.cancelled)) }
    }

    /// Ends a turn, and gives the next one to the commit that has waited longest.
    func end(_ queue: String) {
        let next = waiting.withLock { waiting -> Reply<Void>? in
            guard waiting[queue]?.isEmpty == false else {
                waiting[queue] = nil
                return nil
            }
            return waiting[queue]?.removeFirst()
        }
        next?.give(.success(()))
    }
}
