/// One connection to a client, which belongs to the thread that serves it.
///
/// State: the bytes that came while an answer was sent; only the thread of the connection reads and writes them.
final class Connection {
    /// The bytes that a client may send while it is answered.
    private static let mostWaiting = 256 << 10

    private let descriptor: Int32
    private var waiting: [UInt8] = []
    /// True if the client is not there any more.
    private(set) var isGone = false
    /// True if the client sends nothing more. It may still read, and whether it does shows when something is sent.
    private var isSilent = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits this long for bytes, those first that came while an answer was sent.
    func receive(within milliseconds: Int) -> Sockets.Received {
        if !waiting.isEmpty {
            defer { waiting = [] }
            return .bytes(waiting)
        }
        return isGone || isSilent ? .end : Sockets.receive(descriptor, within: milliseconds)
    }

    /// Sends bytes; false if the client is gone.
    func send(_ bytes: [UInt8]) -> Bool {
        guard !isGone else { return false }
        isGone = !Sockets.send(bytes, to: descriptor)
        return !isGone
    }

    /// Waits this long, and keeps what comes meanwhile. Returns false as soon as the client is gone, or sends nothing
    /// more. In the second case an answer may still be sent.
    func rest(milliseconds: Int) -> Bool {
        let end = Uptime.milliseconds + milliseconds
        while !isGone, !isSilent {
            switch Sockets.receive(descriptor, within: end - Uptime.milliseconds) {
            case .nothing: return true
            case .end: isSilent = true
            case .bytes(let bytes):
                waiting += bytes
                isGone = waiting.count > Self.mostWaiting
            }
        }
        return false
    }

    /// Ends the sending, and reads for a moment what is on its way. A socket that is closed with bytes unread discards
    /// the answer.
    func finish() {
        guard !isGone else { return }
        Sockets.endWriting(descriptor)
        let end = Uptime.milliseconds + 1_000
        var rest = 4 << 20
        while rest > 0, case .bytes(let bytes) = Sockets.receive(descriptor, within: end - Uptime.milliseconds) {
            rest -= bytes.count
        }
    }
}
