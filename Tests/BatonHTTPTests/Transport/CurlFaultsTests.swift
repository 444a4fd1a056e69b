import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

#if canImport(Glibc)
    import Glibc

    /// The number of faults of each kind.
    private enum Faults {
        static let count = ProcessInfo.processInfo.environment["BATON_FAULTS"].flatMap { Int($0) } ?? 0
    }

    /// What many faults leave behind: after all of them as much is allocated as after the half.
    ///
    /// It is counted for the whole process, so no other test may run beside it.
    @Suite(.enabled(if: Faults.count > 0, "BATON_FAULTS says how many"), .serialized, .timeLimit(.minutes(60)))
    struct CurlFaultsTests {
        /// The growth that is allowed in the second half, in bytes, whatever the number of faults. It is that of queues
        /// and dictionaries, and of what many threads have at once. The smallest object takes 32 bytes, so one that is
        /// kept for each of 20,000 faults is more.
        private static let allowed = 192 << 10

        enum Fault: String, CaseIterable {
            case refused, closedAtOnce, cutHead, cutBody, cutChunk, notHTTP, notGzip, tooLong, status, notJSON
            case silence, silentBody, cancelled, retried, retryCancelled
            case socketRefused, socketClosed, socketNotUpgraded, socketSilent, socketCancelled

            /// What the server says before it closes the connection.
            var bytes: String {
                switch self {
                case .cutHead: "HTTP/1.1 200 OK\r\nContent-Le"
                case .cutBody, .retried: "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"data\""
                case .cutChunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"da"
                case .notHTTP: "SSH-2.0-OpenSSH_9.2\r\n"
                case .notGzip: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"
                case .tooLong:
                    "HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + String(repeating: "a", count: 3_000)
                case .status, .socketNotUpgraded: "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy"
                case .notJSON: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{]{]{"
                default: ""
                }
            }

            var reply: LoopbackServer.Reply {
                switch self {
                case .silence, .cancelled, .socketSilent, .socketCancelled: .silence(after: [])
                case .silentBody: .silence(after: Array("HTTP/1.1 200 OK\r\n\r\n{".utf8))
                default: .bytes(Array(bytes.utf8))
                }
            }

            var isOfSockets: Bool { rawValue.hasPrefix("socket") }
            var isCancelled: Bool { self == .cancelled || self == .retryCancelled || self == .socketCancelled }
        }

        @Test(arguments: Fault.allCases) func manyFaultsEndWithTheMemoryOfTheFirst(_ fault: Fault) async throws {
            let server = try LoopbackServer { _ in fault.reply }
            // Where nobody listens, each connection is refused.
            if fault == .refused || fault == .retryCancelled || fault == .socketRefused { server.stop() }
            let network = try network(fault, server.url)
            let hooks = Self.takeHooksOfErrors()
            defer { for (hook, old) in hooks { hook.pointee = old } }
            let tenth = Faults.count / 10
            var sizes: [Int] = []
            for _ in 0..<10 {
                try await make(tenth, fault, network, server)
                sizes.append(try await Self.allocatedAtRest())
            }
            print("\(fault.rawValue): \(sizes.map { $0 >> 10 }) kB")
            // What still ends may be counted once, but not each time.
            let (half, end) = (min(sizes[4], sizes[5]), min(sizes[8], sizes[9]))
            #expect(end < half + Self.allowed)
            withExtendedLifetime(server) {}
        }

        private func network(_ fault: Fault, _ url: URL) throws -> any NetworkLayer {
            if fault.isOfSockets {
                var options = WebSocketOptions()
                options.reconnecting = .never
                if fault == .socketSilent { options.connectTimeout = .milliseconds(2) }
                return WebSocketNetwork(url: url, transport: try CurlWebSocketTransport(), options: options)
            }
            let isSilent = fault == .silence || fault == .silentBody
            let network = HTTPNetwork(
                url: url, transport: try CurlTransport(), timeout: isSilent ? .milliseconds(2) : .seconds(60),
                maximumBodySize: 2_000)
            switch fault {
            case .retried: return network.intercepted(by: RetryInterceptor(firstDelay: .milliseconds(1)))
            case .retryCancelled: return network.intercepted(by: RetryInterceptor(firstDelay: .seconds(600)))
            default: return network
            }
        }

        /// Makes so many faults, some at once, and waits until the server is rid of them.
        private func make(_ count: Int, _ fault: Fault, _ network: any NetworkLayer, _ server: LoopbackServer)
            async throws
        {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in stride(from: worker, to: count, by: 8) { await Self.fail(fault, network, number) }
                    }
                }
            }
            server.forget()
            // The library may keep a connection that the server has ended until it looks at it again.
            await until { server.openConnections <= 16 }
        }

        private static func fail(_ fault: Fault, _ network: any NetworkLayer, _ number: Int) async {
            let task = Task { try await network.send(.make(number)) }
            if fault.isCancelled {
                try? await Task.sleep(for: .milliseconds(1))
                task.cancel()
            }
            let result = await task.result
            switch (fault, result) {
            // What is in the body is for the environment.
            case (.notJSON, .success): break
            case (_, .success(let response)): Issue.record("\(fault.rawValue): \(response.text)")
            case (_, .failure(let error)):
                let isCancellation = error is CancellationError || (error as? RelayError)?.code == .cancelled
                #expect(!fault.isCancelled || isCancellation, "\(fault.rawValue): \(error)")
            }
        }

        /// Swift Testing remembers where each error was thrown until the test ends, with some 300 bytes for each. Takes
        /// that from it; returns what must be put back.
        private static func takeHooksOfErrors() -> [(UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeRawPointer?)] {
            // The runtime has these variables for debuggers and test libraries, and no header declares them.
            ["_swift_willThrow", "_swift_willThrowTypedImpl"].compactMap { name in
                guard let symbol = dlsym(nil, name) else { return nil }
                let hook = symbol.assumingMemoryBound(to: UnsafeRawPointer?.self)
                defer { hook.pointee = nil }
                return (hook, hook.pointee)
            }
        }

        /// The least that is allocated while tasks, threads and connections end that are not needed any more.
        private static func allocatedAtRest() async throws -> Int {
            var least = Int.max
            for _ in 0..<25 {
                least = min(least, try #require(allocated))
                try await Task.sleep(for: .milliseconds(20))
            }
            return least
        }

        /// The bytes that this process has allocated and not freed; nil if the allocator does not say so.
        private static var allocated: Int? {
            typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
            // The module of the C library does not declare the function.
            guard let symbol = dlsym(nil, "malloc_info") else { return nil }
            var (text, size) = (UnsafeMutablePointer<CChar>?.none, 0)
            guard let stream = open_memstream(&text, &size) else { return nil }
            _ = unsafeBitCast(symbol, to: Info.self)(0, stream)
            fclose(stream)
            defer { free(text) }
            // The sums stand behind all arenas.
            guard let sums = text.map({ String(cString: $0) })?.components(separatedBy: "</heap>").last else {
                return nil
            }
            var bytes = 0
            for line in sums.matches(of: /<\w+ type="(current|mmap|fast|rest)".* size="(\d+)"/) {
                let isFree = ["fast", "rest"].contains(line.output.1)
                bytes += (isFree ? -1 : 1) * (Int(line.output.2) ?? 0)
            }
            return bytes
        }
    }
#endif
