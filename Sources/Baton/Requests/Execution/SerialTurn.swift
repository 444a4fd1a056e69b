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
