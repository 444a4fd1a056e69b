/// The reason why an operation is no longer held.
enum ReleaseReason: Sendable {
    /// The last holder released the operation, and nothing kept it.
    case released
    /// Later releases pushed the operation out of the release buffer.
    case bufferWasFull
    /// The operation's time in the release buffer was over.
    case expired
    /// The memory of the operation's data was needed.
    case memoryBudget
}
