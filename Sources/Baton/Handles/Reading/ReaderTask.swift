/// The target to read, and the result of the last read.
struct ReaderTask<Target: Sendable>: Sendable {
    let target: Target
    let last: ReadOutcome?
    /// The machine's count of moves before the read.
    let moves: Int
    /// The count of changes before the read.
    let changes: Int
}
