#if canImport(FoundationNetworking)
    import Baton
    import Foundation
    import TestServer
    import Testing

    @testable import BatonHTTP

    /// What URLSession on Linux does with its connections, which nobody can look at. If the first of these fails,
    /// Foundation has mended it, and the guide "Sending requests" says too much.
    @Suite(.timeLimit(.minutes(20)))
    struct URLSessionStrayTests {
        private static func send(_ server: LoopbackServer, over transport: any HTTPTransport) async throws -> String {
            let request = HTTPRequest(.post, server.url, body: .bytes(Array("{}".utf8)))
            return try await transport.send(request).text
        }

        private static func response(_ text: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        }

        /// The results of requests, each of which comes after the server has sent a response that nobody asked for.
        private static func results(_ count: Int, over transport: any HTTPTransport) async throws -> [String] {
            let strays = Guarded(0)
            let server = try LoopbackServer { _ in
                .written { writer in
                    repeat {
                        guard writer.write(response("own")) else { return }
                        _ = writer.waits(milliseconds: 20)
                        guard writer.write(response("stray")) else { return }
                        strays.withLock { $0 += 1 }
                    } while !writer.read().isEmpty
                }
            }
            defer { server.stop() }
            var results: [String] = []
            for number in 1...count {
                results.append(try await send(server, over: transport))
                // A transport that closes its connection too early keeps the server from sending another one.
                for _ in 0..<5_000 where strays.withLock({ $0 }) < number {
                    try await Task.sleep(for: .milliseconds(1))
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            return results
        }

        @Test func aResponseThatNobodyAskedForIsTakenForTheNext() async throws {
            #expect(try await Self.results(10, over: URLSessionTransport()).contains("stray"))
        }

        /// The same server and the same pauses over the other transport.
        @Test func libcurlTakesNone() async throws {
            #expect(try await Self.results(10, over: CurlTransport()) == [String](repeating: "own", count: 10))
        }
    }
#endif
