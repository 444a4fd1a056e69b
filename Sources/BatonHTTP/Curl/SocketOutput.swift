/// Bytes on their way out, and who waits until the system has them.
struct SocketOutput {
    private struct Piece {
        let bytes: [UInt8]
        let sent: CheckedContinuation<Void, any Error>?
    }

    private var pieces: [Piece] = []
    /// How much of the first piece is sent.
    private var position = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func add(_ bytes: [UInt8], _ sent: CheckedContinuation<Void, any Error>?) {
        pieces.append(Piece(bytes: bytes, sent: sent))
    }

    /// Hands the rest of the first piece to a closure that sends, and notes how many bytes it has sent.
    mutating func send(
        _ send: (UnsafeRawBufferPointer) -> (count: Int, code: Int32)
    ) -> (count: Int, code: Int32) {
        guard let first = pieces.first else { return (0, 0) }
        let (count, code) = first.bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[position...])) }
        position += count
        if position >= first.bytes.count {
            pieces.removeFirst()
            position = 0
            first.sent?.resume()
        }
        return (count, code)
    }

    /// Gives up what is not sent.
    mutating func fail(_ error: any Error) {
        let lost = pieces
        (pieces, position) = ([], 0)
        for piece in lost { piece.sent?.resume(throwing: error) }
    }
}
