/// Bytes on their way out, with the numbers of those who wait until the system has them.
struct SocketOutput {
    private struct Piece {
        let bytes: [UInt8]
        let waiter: Int?
    }

    private var pieces: [Piece] = []
    /// How much of the first piece is sent.
    private var position = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func add(_ bytes: [UInt8], _ waiter: Int?) {
        pieces.append(Piece(bytes: bytes, waiter: waiter))
    }

    /// Hands the rest of the first piece to a closure that sends, and notes how many bytes it has sent.
    ///
    /// - Returns: What the closure said, and who waited for the piece if it is sent whole.
    mutating func send(
        _ send: (UnsafeRawBufferPointer) -> (count: Int, code: Int32)
    ) -> (count: Int, code: Int32, waiter: Int?) {
        guard let first = pieces.first else { return (0, 0, nil) }
        let (count, code) = first.bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[position...])) }
        position += count
        guard position >= first.bytes.count else { return (count, code, nil) }
        pieces.removeFirst()
        position = 0
        return (count, code, first.waiter)
    }
}
