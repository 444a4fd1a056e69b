/// A commit in a queue.
final class SerialTurn: Sendable {
    let queue: String
    let operationName: String
    /// A number that no other commit in a queue of the same environment has, in the order of their calls.
    let number: Int
    /// Comes when it is the commit's turn.
    let reply = Reply<Void>()

    init(_ queue: String, _ operationName: String, number: Int) {
        (self.queue, self.operationName, self.number) = (queue, operationName, number)
    }
}
