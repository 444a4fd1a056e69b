import Foundation

/// What this process holds, by the words of Linux; nothing on other systems.
enum Holdings {
    /// The memory in use, in bytes.
    static var memory: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4096
    }

    /// The number of open files and sockets.
    static var descriptors: Int { links.count }

    /// The number of open sockets with a port at one of their ends.
    static func sockets(_ port: Int) -> Int {
        guard let table = try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8) else { return 0 }
        let end = ":" + String(port, radix: 16, uppercase: true)
        let inodes = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
            let fields = line.split(separator: " ")
            let isConnected = fields[2] != "00000000:0000"
            let isOfPort = fields[1].hasSuffix(end) || fields[2].hasSuffix(end)
            return isConnected && isOfPort ? "socket:[\(fields[9])]" : nil
        }
        return Set(inodes).intersection(links).count
    }

    private static var links: [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }
}

/// Waits until a condition holds. Returns false if it does not within the time.
func eventually(within limit: Duration = .seconds(10), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline, (try? await Task.sleep(for: .milliseconds(5))) != nil else { return false }
    }
    return true
}
