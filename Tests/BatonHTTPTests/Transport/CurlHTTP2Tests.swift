import Baton
import BatonText
import Foundation
import Testing

@testable import BatonHTTP

/// HTTP/2 with the servers of `Tests/Integration/http2.py`, one of which is hostile.
@Suite(.enabled(if: HTTP2Servers.areRunning, "Tests/Integration/http2.py runs it"), .timeLimit(.minutes(20)))
struct CurlHTTP2Tests {
    /// What trusts the servers.
    private static var trusting: CurlOptions {
        var options = CurlOptions()
        options.authorities = HTTP2Servers.variable("BATON_CERTIFICATE")
        return options
    }

    private static func transport() throws -> CurlTransport { try CurlTransport(trusting) }

    private static func request(_ path: String) throws -> HTTPRequest {
        let url = try #require(HTTP2Servers.variable("BATON_HOSTILE").flatMap { URL(string: $0 + path) })
        return HTTPRequest(.post, url, body: .bytes([123]))
    }

    /// How often the hostile server was asked for a path.
    private static func count(_ path: String) async throws -> Int? {
        Int(try await transport().send(request("count/" + path)).text)
    }

    @Test func requestsShareConnections() async throws {
        let url = try #require(HTTP2Servers.variable("BATON_HYPERCORN").flatMap { URL(string: $0) })
        let transport = try Self.transport()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            // The server allows a hundred streams of one connection.
            for number in 0..<90 {
                let body = HTTPRequest.Body.bytes([UInt8](repeating: 97, count: number * 100))
                group.addTask { try await transport.send(HTTPRequest(.post, url, body: body)).text }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 90 && answers.allSatisfy { $0.hasPrefix("2 ") })
        #expect(Set(answers).count <= 2)
        let plain = try CurlTransport(Self.trusting, allowsHTTP2: false)
        #expect(try await plain.send(HTTPRequest(.post, url, body: .bytes([97]))).text.hasPrefix("1.1 "))
    }

    /// A connection has room for a hundred streams.
    @Test func wavesOfRequestsShareFewConnections() async throws {
        let url = try #require(HTTP2Servers.variable("BATON_HYPERCORN").flatMap { URL(string: $0) })
        let transport = try Self.transport()
        for _ in 0..<2 {
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1_000 {
                    group.addTask { try await transport.send(HTTPRequest(.post, url, body: .bytes([97]))).text }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 1_000 && answers.allSatisfy { $0.hasPrefix("2 ") })
            #expect(Set(answers).count <= 11)
        }
    }

    @Test(arguments: ["settings", "pings", "interim", "goaway-after"])
    func whatTheProtocolAllowsIsNoHarm(_ path: String) async throws {
        // A connection that the server gives up may be used again before the client has heard of it.
        for _ in 0..<3 {
            do {
                #expect(try await Self.transport().send(Self.request(path)).text == #"{"data":{}}"#)
            } catch HTTPError.closed where path == "settings" && !Self.isOld {
                // Newer ones take twenty thousand settings for a flood.
            }
        }
    }

    /// libcurl sends what a server refuses again, up to five times.
    @Test(arguments: ["goaway", "refuse", "reset", "half", "short", "close", "noise"])
    func whatEndsAStreamIsATypedErrorAndNothingIsSentAgain(_ path: String) async throws {
        let transport = try Self.transport()
        #expect(try await transport.send(Self.request("ok")).status == 200)
        let error = await #expect(throws: HTTPError.self) { _ = try await transport.send(Self.request(path)).text }
        if case .closed? = error {} else { Issue.record("\(path): \(String(describing: error))") }
        #expect(try await Self.count(path) == 1)
        #expect(try await transport.send(Self.request("ok")).status == 200)
    }

    /// What the library tells by something else than what a connection gives that died without a byte: on a connection
    /// that no other request has had, it begins again only for a stream that the server refused.
    @Test(arguments: [
        ("refuse", 2), ("goaway-open", isOld ? 1 : 2), ("goaway", isOld ? 1 : 2), ("reset", 1), ("close", 1),
        ("noise", 1),
        ("half", 1),
    ])
    func whatWasRefusedIsSentOnceMore(_ path: String, _ count: Int) async throws {
        let once = path + "?\(Int.random(in: 0..<1 << 40))"
        let error = await #expect(throws: HTTPError.self) { try await Self.transport().send(Self.request(once)).text }
        if case .closed? = error {} else { Issue.record("\(path): \(String(describing: error))") }
        #expect(try await Self.count(once) == count)
    }

    /// Version 7 tells of a GOAWAY as of a connection that breaks.
    private static var isOld: Bool { (try? CurlLibrary.load()) != nil && CurlLibrary.version.hasPrefix("7.") }

    @Test func aRefusedRequestThatIsSentAgainIsAnswered() async throws {
        let once = "refuse-once?\(Int.random(in: 0..<1 << 40))"
        #expect(try await Self.transport().send(Self.request(once)).text == #"{"data":{}}"#)
        #expect(try await Self.count(once) == 2)
    }

    /// A stream that is given up after a second without a byte takes its connection along.
    @Test(arguments: ["silent", "no-streams"])
    func aConnectionThatIsSilentLeavesThePool(_ path: String) async throws {
        let transport = try Self.transport()
        let first = try await transport.send(Self.request("number")).text
        let once = path + "?\(Int.random(in: 0..<1 << 40))"
        let request = try Self.request(once)
        if path == "no-streams" { #expect(try await transport.send(request).status == 200) }
        let waiting = Task { try await transport.send(request) }
        while try await Self.count(once) == 0 { try await Task.sleep(for: .milliseconds(50)) }
        try await Task.sleep(for: .milliseconds(2_500))
        waiting.cancel()
        let result = await waiting.result
        // Newer ones leave a connection that allows no streams by themselves.
        if path == "silent" || Self.isOld { #expect(throws: CancellationError.self) { try result.get() } }
        let second = try await transport.send(Self.request("number")).text
        #expect(first != second)
        #expect(try await transport.send(Self.request("number")).text == second)
    }

    @Test func moreStreamsThanAllowedWait() async throws {
        let transport = try Self.transport()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 { group.addTask { try await transport.send(Self.request("slow")).status } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func aPinnedKeyCountsBesidesTheCertificate() async throws {
        var options = Self.trusting
        options.pinnedKeys = [Data(SHA256.digest(of: [])).base64EncodedString()]
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport(options).send(Self.request("ok")) }
        if case .tls? = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test func anUnknownCertificateIsRefused() async throws {
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(Self.request("ok")) }
        if case .tls? = error {} else { Issue.record("\(String(describing: error))") }
    }
}

/// What the script says in the environment.
private enum HTTP2Servers {
    static let areRunning = variable("BATON_HOSTILE") != nil

    static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
