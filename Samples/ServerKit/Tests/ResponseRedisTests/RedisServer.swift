import Foundation
import Synchronization

/// A `redis-server` for tests, on a port of its own, without a file. Debian has it in a package of that name.
final class RedisServer: Sendable {
    let port: Int
    private let id = Mutex<pid_t>(0)

    init(port: Int = .random(in: 20_000..<60_000)) throws {
        self.port = port
        try start()
    }

    deinit { stop() }

    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "redis-server", "--port", "\(port)", "--save", "", "--appendonly", "no", "--bind", "127.0.0.1",
            "--daemonize", "no", "--loglevel", "warning",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        id.withLock { $0 = process.processIdentifier }
    }

    /// Ends the server as a crash does.
    func stop() {
        let id = id.withLock { id in
            defer { id = 0 }
            return id
        }
        if id > 0 { kill(id, SIGKILL) }
    }
}
