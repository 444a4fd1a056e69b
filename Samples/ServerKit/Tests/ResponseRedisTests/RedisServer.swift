import Foundation
import Synchronization

/// A `redis-server` for tests, on a port of its own, without a file. Debian has it in a package of that name.
final class RedisServer: Sendable {
    let port: Int
    /// The certificate with which it speaks TLS, and nothing else.
    private let tls: (certificate: String, key: String)?
    /// The certificates by which it knows its clients; nil if it takes any.
    private let clients: String?
    private let id = Mutex<pid_t>(0)

    init(
        port: Int = .random(in: 20_000..<60_000), tls: (certificate: String, key: String)? = nil, clients: String? = nil
    ) throws {
        (self.port, self.tls, self.clients) = (port, tls, clients)
        try start()
    }

    deinit { stop() }

    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "redis-server", "--port", tls == nil ? "\(port)" : "0", "--save", "", "--appendonly", "no", "--bind",
            "127.0.0.1",
            "--daemonize", "no", "--loglevel", "warning",
        ]
        if let tls {
            process.arguments? += [
                "--tls-port", "\(port)", "--tls-cert-file", tls.certificate, "--tls-key-file", tls.key,
                "--tls-auth-clients", clients == nil ? "no" : "yes",
            ]
            if let clients { process.arguments? += ["--tls-ca-cert-file", clients] }
        }
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
