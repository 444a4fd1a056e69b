/// What is to be read, and what was read last.
struct ReadTask<Target: Sendable>: Sendable {
    let target: Target
    let last: RowResult?
    /// The reader's count of moves before the read.
    let moves: Int
    /// The count of changes before the read.
    let changes: Int

    init(_ target: Target, of reader: Reader, at changes: Int) {
        (self.target, last, moves, self.changes) = (target, reader.result, reader.moves, changes)
    }
}
