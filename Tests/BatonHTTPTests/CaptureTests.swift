import Baton
import BatonHTTP
import Foundation
import TestServer
import Testing

/// Answers of real servers, replayed byte for byte.
///
/// The captures are beside the repository in `shared/servers/captures`; without them this suite is skipped.
@Suite("Captured answers", .enabled(if: Capture.folder != nil, "the captures of servers are not there"))
struct CaptureTests {
    @Test("every captured answer to a POST is taken for what it is: a response or an error")
    func everyCapturedAnswerGetsItsVerdict() async throws {
        let captures = try Capture.all()
        #expect(captures.count > 450)
        let index = Dictionary(captures.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let server = try LoopbackServer { request in
            .bytes(index[request.headers["x-capture"] ?? ""]?.response ?? [])
        }
        let network = HTTPNetwork(url: server.url) { ["X-Capture": $0.operationName] }
        var counts: [String: Int] = [:]
        // Answers in parts and events are replayed by `CapturedStreamTests`.
        for capture in captures where capture.expectedOutcome != "stream" {
            let request = NetworkRequest(id: 1, operationName: capture.name, kind: .query, text: "{ a }")
            let outcome: String
            do {
                let response = try await network.send(request)
                #expect(response.body == capture.body, "\(capture.name)")
                outcome = "answer"
            } catch let error as RelayError {
                switch error.reason {
                case .httpStatus(let status, let body, _):
                    #expect(status == capture.status && body.hasPrefix(capture.bodyText.prefix(100)), "\(capture.name)")
                    outcome = "status"
                case .transport(HTTPError.notAcceptable(_, let body)):
                    #expect(capture.status == 406 && body.hasPrefix(capture.bodyText.prefix(100)), "\(capture.name)")
                    outcome = "status"
                case .contentType(let type, let body):
                    #expect(
                        type == capture.contentType && body.hasPrefix(capture.bodyText.prefix(100)), "\(capture.name)")
                    outcome = "type"
                default: outcome = "\(error)"
                }
            }
            #expect(outcome == capture.expectedOutcome, "\(capture.name)")
            counts[outcome, default: 0] += 1
        }
        // Each kind must occur, or the expectation above would be empty.
        for kind in ["answer", "status"] { #expect(counts[kind, default: 0] > 10, "\(counts)") }
        #expect(counts["type", default: 0] > 0, "\(counts)")
    }
}
