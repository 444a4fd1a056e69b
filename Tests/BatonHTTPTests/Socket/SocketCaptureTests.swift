import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// The frames that a real server sent over one WebSocket, in order.
struct SocketCapture: Sendable, CustomTestStringConvertible {
    enum Frame: Sendable {
        case sent(String)
        case received(String)
        case closed(Int)
    }

    let name: String
    let subprotocol: WebSocketOptions.Subprotocol
    let frames: [Frame]
    var testDescription: String { name }

    /// The captures are beside the repository in `shared/servers/captures`.
    static let all: [SocketCapture] = {
        guard let folder = Capture.folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.filter { $0.contains("-ws-") }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
            return parse(name, String(decoding: data, as: UTF8.self))
        }
    }()

    private static func parse(_ name: String, _ text: String) -> SocketCapture? {
        guard text.contains("101 Switching") else { return nil }
        var frames: [Frame] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, next) in zip(lines, lines.dropFirst()) where line.contains(" frame ") {
            if line.contains("CLOSE code=") {
                let code = line.components(separatedBy: "code=").last?.prefix { $0.isNumber }
                frames.append(.closed(code.flatMap { Int($0) } ?? 1005))
            } else {
                frames.append(line.hasPrefix("<<<") ? .received(String(next)) : .sent(String(next)))
            }
        }
        return SocketCapture(
            name: String(name.dropLast(4)),
            subprotocol: text.contains("Protocol: graphql-ws") ? .graphqlWS : .graphqlTransportWS, frames: frames)
    }
}

@Suite("Captured sockets", .enabled(if: Capture.folder != nil, "the captures of servers are not there"))
struct SocketCaptureTests {
    @Test("there are captures of both subprotocols")
    func bothSubprotocolsWereCaptured() {
        for subprotocol in WebSocketOptions.Subprotocol.allCases {
            #expect(SocketCapture.all.filter { $0.subprotocol == subprotocol }.count > 10)
        }
    }

    @Test("every message of a real server is understood", arguments: SocketCapture.all)
    func everyCapturedMessageIsUnderstood(_ capture: SocketCapture) throws {
        var count = 0
        for case .received(let text) in capture.frames {
            let message = try SocketMessage(Array(text.utf8), capture.subprotocol)
            count += 1
            #expect(message != .other, "\(text)")
            let value = try JSONValue.parse(text)
            switch message {
            case .response(let id, let body):
                let payload = try JSONValue.parse(body)
                #expect(value["id"] == .string(id) && value["payload"] == payload)
            case .failure(let id, let body):
                let errors = try JSONValue.parse(body)["errors"]
                let isSame = errors == value["payload"] || errors == value["payload"].map { .array([$0]) }
                #expect(value["id"] == .string(id) && isSame, "\(text)")
            case .completion(let id): #expect(value["id"] == .string(id) && value["type"] == "complete")
            case .pong, .acknowledgement: #expect(value["id"] == nil)
            default: Issue.record("\(text)")
            }
        }
        #expect(count > 0 || capture.frames.contains { if case .closed = $0 { true } else { false } })
    }

    /// The messages in the capture determine the ids, and the machine's own operations have the same ids.
    @Test("the machine follows every captured conversation", arguments: SocketCapture.all)
    func theMachineFollowsEveryConversation(_ capture: SocketCapture) throws {
        // A second initialization and a second use of an id are mistakes that the machine does not make.
        let mistakes = ["dupe-id", "double-init", "noinit"]
        if mistakes.contains(where: capture.name.contains) { return }
        var socket = ScriptedSocket()
        var ids: [String: Int] = [:]
        var expected: [Int: [String]] = [:]
        var mayEnd = false
        for frame in capture.frames {
            switch frame {
            case .sent(let text):
                let value = try JSONValue.parse(text)
                guard case .string(let name)? = value["id"], ["subscribe", "start"].contains(value["type"]) else {
                    continue
                }
                ids[name] = ids.count + 1
                socket.start(ids.count)
                if ids.count == 1 {
                    socket.open(capture.subprotocol)
                    socket.hear(#"{"type":"connection_ack"}"#)
                }
            case .received(let text):
                let value = try JSONValue.parse(text)
                guard case .string(let name)? = value["id"], let id = ids[name] else {
                    if !ids.isEmpty { socket.hear(text) }
                    continue
                }
                var renamed = text
                for separator in ["\"id\":\"", "\"id\": \""] {
                    renamed = renamed.replacingOccurrences(of: "\(separator)\(name)\"", with: "\(separator)\(id)\"")
                }
                if value["type"] == "next" || value["type"] == "data" {
                    expected[id, default: []].append(value["payload"].map(\.text) ?? "")
                } else if value["type"] == "complete" || value["type"] == "error" {
                    mayEnd = true
                }
                socket.hear(renamed)
            case .closed(let code): socket.hearClose(code)
            }
        }
        for (id, bodies) in expected {
            let delivered = try socket.bodies[id, default: []].map { try JSONValue.parse($0).text }
            #expect(delivered.starts(with: bodies), "\(id)")
        }
        #expect(socket.ends.values.allSatisfy { $0 == "complete" || $0.hasPrefix("the server closed") })
        if mayEnd { #expect(socket.ends.values.contains("complete")) }
    }
}
