import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

@Suite("Uploads")
struct UploadTests {
    private static let url = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")

    private func request(_ uploads: [Upload], variables: [JSONValue.Member] = []) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: "U", kind: .mutation, text: "mutation U { u }", variables: variables,
            configuration: RequestConfiguration(uploads: uploads))
    }

    private func temporaryFile(_ data: Data) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        return file
    }

    private func bytes(of form: MultipartForm) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in form.pieces({ _ in }) { bytes += piece }
        return bytes
    }

    @Test("a form has the operation, the map and the files, and its length is known before")
    func aFormHasOperationMapAndFiles() async throws {
        let file = try temporaryFile(Data("from disk".utf8))
        defer { try? FileManager.default.removeItem(at: file) }
        let uploads = [
            Upload(
                variable: "input.photos.0", fileName: "a\"\r\n\u{E9}.txt", contentType: "text/plain",
                content: .bytes(Array("alpha".utf8))),
            Upload(variable: "file", fileName: "b", content: .file(path: file.path)),
        ]
        let content = RequestContent(request(uploads, variables: [.init("n", 1)]), .text("mutation U { u }"))
        let form = try MultipartForm(content, uploads, boundary: "B")
        let lines = [
            "--B", #"Content-Disposition: form-data; name="operations""#, "",
            #"{"query":"mutation U { u }","operationName":"U","variables":{"n":1,"input":{"photos":[null]},"file":null}}"#,
            "--B", #"Content-Disposition: form-data; name="map""#, "",
            #"{"0":["variables.input.photos.0"],"1":["variables.file"]}"#,
            "--B", "Content-Disposition: form-data; name=\"0\"; filename=\"a%22%0D%0A\u{E9}.txt\"",
            "Content-Type: text/plain", "", "alpha",
            "--B", #"Content-Disposition: form-data; name="1"; filename="b""#,
            "Content-Type: application/octet-stream", "", "from disk", "--B--", "",
        ]
        let bytes = try await bytes(of: form)
        #expect(String(decoding: bytes, as: UTF8.self) == lines.joined(separator: "\r\n"))
        #expect(form.length == bytes.count)
        #expect(form.contentType == "multipart/form-data; boundary=B")
    }

    @Test("a file at two places is sent once")
    func aFileAtTwoPlacesIsSentOnce() async throws {
        let uploads = ["a", "b.0"].map { Upload(variable: $0, fileName: "f", content: .bytes([65])) }
        let form = try MultipartForm(RequestContent(request(uploads), .text("")), uploads, boundary: "B")
        let text = String(decoding: try await bytes(of: form), as: UTF8.self)
        #expect(text.contains(#"{"0":["variables.a","variables.b.0"]}"#))
        #expect(text.components(separatedBy: "filename=").count == 2)
    }

    @Test("a missing file, a folder and a media type of two lines fail the request before anything is sent")
    func aFileThatCannotBeSentFailsTheRequest() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let network = HTTPNetwork(url: Self.url, transport: transport)
        for path in ["/nowhere/at/all", FileManager.default.temporaryDirectory.path] {
            let upload = Upload(variable: "f", fileName: "f", content: .file(path: path))
            let error = await #expect(throws: RelayError.self) { try await network.send(request([upload])) }
            guard case .transport(HTTPError.file(path, _))? = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.description.hasPrefix("The request was not sent: the file") == true)
        }
        let upload = Upload(variable: "f", fileName: "f", contentType: "a/b\r\nX: y", content: .bytes([]))
        await #expect(throws: RelayError.self) { try await network.send(request([upload])) }
        #expect(transport.sent.isEmpty)
    }

    @Test("a request with files asks guards to let it pass, and its content type cannot be replaced")
    func aRequestWithFilesPassesGuards() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let network = HTTPNetwork(url: Self.url, transport: transport) { _ in ["content-type": "application/json"] }
        _ = try await network.send(request([Upload(variable: "f", fileName: "f", content: .bytes([65]))]))
        let sent = try #require(transport.sent.first)
        #expect(sent.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=----baton-") == true)
        #expect(sent.headers["Apollo-Require-Preflight"] == "true")
        #expect(sent.headers["GraphQL-Preflight"] == "1")
        #expect(sent.length == sent.body.count)
    }

    @Test("a file is streamed over a socket with its length, and progress ends at the total")
    func aFileIsStreamedWithItsLength() async throws {
        let data = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let file = try temporaryFile(data)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer { request in .json(#"{"data":"\#(request.body.count)"}"#) }
        let reports = Guarded<[(sent: Int, total: Int)]>([])
        var request = request([Upload(variable: "f", fileName: "f", content: .file(path: file.path))])
        request.configuration.context[UploadProgress.self] = UploadProgress { sent, total in
            reports.withLock { $0.append((sent, total)) }
        }
        // The tests beside this one may leave it no time.
        let (timeout, silence) = (Duration.seconds(900), Duration.seconds(900))
        _ = try await HTTPNetwork(url: server.url, timeout: timeout, silenceTimeout: silence).send(request)
        let received = try #require(server.requests.first)
        #expect(received.headers["transfer-encoding"] == nil)
        #expect(received.headers["content-length"] == String(received.body.count))
        #expect(received.body.firstRange(of: Array(data)) != nil)
        let all = reports.withLock(\.self)
        #expect(all.count > 20)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.sent < $1.sent })
        #expect(all.last?.sent == received.body.count)
        #expect(all.allSatisfy { $0.total == received.body.count })
    }

    @Test("a file that becomes shorter while it is sent ends the request with an error of the file")
    func aFileThatBecomesShorterEndsTheRequest() async throws {
        let file = try temporaryFile(Data(repeating: 65, count: 1_000_000))
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer { _ in .json("{}") }
        var request = request([Upload(variable: "f", fileName: "f", content: .file(path: file.path))])
        request.configuration.context[UploadProgress.self] = UploadProgress { _, _ in
            try? Data(repeating: 65, count: 10).write(to: file)
        }
        // The tests beside this one may leave it no time.
        let network = HTTPNetwork(url: server.url, timeout: .seconds(900), silenceTimeout: .seconds(900))
        let error = await #expect(throws: RelayError.self) { try await network.send(request) }
        guard case .transport(HTTPError.file(file.path, _))? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a redirect that keeps the method sends the files again")
    func aRedirectSendsTheFilesAgain() async throws {
        let transport = ScriptedTransport { sent in
            sent.url.hasSuffix("/v2") ? .json("{}") : .json("", status: 308, headers: ["Location": "/v2"])
        }
        _ = try await HTTPNetwork(url: Self.url, transport: transport)
            .send(request([Upload(variable: "f", fileName: "f", content: .bytes([65]))]))
        #expect(transport.sent.count == 2)
        #expect(transport.sent.first?.body == transport.sent.last?.body)
    }

    /// A body that breaks after these texts.
    private func broken(_ texts: [String], by error: any Error) -> HTTPPieces {
        let rest = Guarded(texts[...])
        return HTTPPieces {
            guard let text = rest.withLock({ $0.popFirst() }) else { throw error }
            return Array(text.utf8)
        }
    }

    @Test("a whole answer to an upload is the answer, also when the connection breaks after it")
    func aWholeAnswerCountsWhateverFollows() async throws {
        let upload = Upload(variable: "f", fileName: "f", content: .bytes([65]))
        let closed = HTTPError.closed(reason: "reset")
        func answer(_ texts: [String], to uploads: [Upload], then error: HTTPError = closed) async throws -> String {
            let type: HTTPHeaders = ["Content-Type": "application/json"]
            let transport = ScriptedTransport { [self] _ in .init(200, type, broken(texts, by: error)) }
            return try await HTTPNetwork(url: Self.url, transport: transport).send(request(uploads)).text
        }
        #expect(try await answer(["{\"data\"", ":{}}\n"], to: [upload]) == "{\"data\":{}}\n")
        for cut in [[], ["{\"data\""], ["{\"data\":{}"], ["{\"data\":{}}", "{"]] {
            await #expect(throws: RelayError.transport(closed)) { try await answer(cut, to: [upload]) }
        }
        // Nothing was still being sent, or the bytes themselves are wrong.
        await #expect(throws: RelayError.transport(closed)) { try await answer(["{\"data\":{}}"], to: []) }
        let wrong = HTTPError.compression(reason: "bytes follow")
        await #expect(throws: RelayError.transport(wrong)) {
            try await answer(["{\"data\":{}}"], to: [upload], then: wrong)
        }
    }

    /// The server says what it has to say and reads no more.
    @Test("an early answer over libcurl counts in chunks and compressed", arguments: ["plain", "chunked", "gzip"])
    func anEarlyAnswerCountsHoweverItIsWritten(_ form: String) async throws {
        let text = #"{"data":{"u":1}}"#
        let server = try LoopbackServer { _ in
            let fields = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            var body = Array(text.utf8)
            var head = fields
            if form == "gzip" {
                body = Gzip.member(body)
                head += "Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
            } else if form == "chunked" {
                head += "Transfer-Encoding: chunked\r\n\r\n"
                body = Array("\(String(body.count, radix: 16))\r\n\(text)\r\n0\r\n\r\n".utf8)
            } else {
                head += "Content-Length: \(body.count)\r\n\r\n"
            }
            return .bytes(Array(head.utf8) + body)
        }
        let file = try temporaryFile(Data(repeating: 65, count: 40 << 20))
        defer { try? FileManager.default.removeItem(at: file) }
        var upload = request([Upload(variable: "f", fileName: "f", content: .file(path: file.path))])
        upload.configuration.headers["X-Early"] = "1"
        let network = HTTPNetwork(
            url: server.url, transport: try CurlTransport(), timeout: .seconds(900), silenceTimeout: .seconds(900))
        #expect(try await network.send(upload).text == text)
        #expect(server.requests.count == 1)
    }
}
