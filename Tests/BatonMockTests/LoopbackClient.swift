import Foundation

@testable import BatonMock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection to a port of this machine, for a test that sends bytes of its own.
final class LoopbackClient {
    private let descriptor: Int32

    init?(_ port: UInt16) {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let opened = socket(AF_INET, stream, 0)
        guard opened >= 0 else { return nil }
        descriptor = opened
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The socket interface requires pointers to a `sockaddr`.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(opened, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { Sockets.send(bytes, to: descriptor) }

    func endWriting() { Sockets.endWriting(descriptor) }

    /// What the server sends next; empty at its end, and after ten seconds.
    func read() -> [UInt8] {
        if case .bytes(let bytes) = Sockets.receive(descriptor, within: 10_000) { bytes } else { [] }
    }

    /// All that the server sends until it closes the connection.
    func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while case .bytes(let bytes) = Sockets.receive(descriptor, within: 60_000) { all += bytes }
        return all
    }
}
