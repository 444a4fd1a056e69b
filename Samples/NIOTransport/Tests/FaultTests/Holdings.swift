import Foundation

/// The memory, files and connections of this process.
enum Holdings {
    /// The memory in use, in bytes; 0 on systems other than Linux.
    static var memory: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4096
    }

    /// The memory in use after freed memory was returned to the system.
    static var trimmedMemory: Int {
        _ = trim?(0)
        return memory
    }

    /// `malloc_trim` of glibc, which its module leaves out.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    /// The open files and sockets.
    static var descriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// The number of open connections with a port at one of their ends.
    static func connections(_ port: Int) -> Int {
        descriptors.count { descriptor in
            guard let peer = self.port(descriptor, getpeername) else { return false }
            return peer == port || self.port(descriptor, getsockname) == port
        }
    }

    /// The port at one end of a connection over IPv4; nil for other descriptors.
    private static func port(
        _ descriptor: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Waits until a condition is true. Returns false if it is not true within a time that no test needs.
func eventually(within limit: Duration = .seconds(120), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now >= deadline || Task.isCancelled { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
