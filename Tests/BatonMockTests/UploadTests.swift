import Baton
import BatonHTTP
import BatonTesting
import Foundation
import RandomCases
import Testing

@testable import BatonMock

@Suite("Uploads to BatonMock", .timeLimit(.minutes(20)))
struct UploadTests {
    private static func part(_ name: String, _ content: String, file: String? = nil, type: String? = nil) -> String {
        "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\(file.map { "; filename=\"\($0)\"" } ?? "")"
            + (type.map { "\r\nContent-Type: \($0)" } ?? "") + "\r\n\r\n\(content)\r\n"
    }

    private static let type = "Content-Type: multipart/form-data; boundary=\"B\""

    private static func status(_ answer: String) -> Int? { Int(answer.dropFirst(9).prefix(3)) }

    @Test func aWorldSeesNameTypeAndSizeOfAFile() async throws {
        let mock = try RunningMock()
        let text = "mutation Sample($f: Upload!, $g: [Upload!]!) { addPoster(film: \"Film:1\", file: $f, more: $g) }"
        func upload(_ variable: String, _ name: String, _ type: String) -> Upload {
            Upload(
                variable: variable, fileName: name, contentType: type, content: .bytes(Array("\r\n--B\r\n".utf8)))
        }
        let request = NetworkRequest(
            id: 1, operationName: "Sample", kind: .mutation, text: text,
            configuration: RequestConfiguration(
                timeout: .seconds(600),
                uploads: [upload("f", "a \"b\".png", "image/png"), upload("g.0", "b.txt", "text/plain")]))
        let answer = try await HTTPNetwork(url: mock.url).send(request).json
        #expect(answer["data"]?["addPoster"]?.boolValue == true)
        #expect(answer["errors"] == nil)
        // A request is noted when its answer was sent.
        while mock.responder.log.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let shown = try JSONValue.parse(Array((mock.responder.log.entries.first?.variables ?? "").utf8))
        #expect(shown["f"]?["mimetype"] == "image/png")
        #expect(shown["f"]?["size"] == 7)
        #expect(shown["g"]?[0] == ["filename": "b.txt", "mimetype": "text/plain", "size": 7])
    }

    @Test func aMutationHasTheFactsOfItsFile() throws {
        let mock = try RunningMock()
        let text = "mutation ($i: PosterInput!) { createPoster(input: $i) { id filename mimetype size film { id } } }"
        let operations: JSONValue = [
            "query": .string(text), "variables": ["i": ["film": "Film:2", "image": .null]],
        ]
        let body =
            Self.part("operations", operations.text) + Self.part("map", #"{"0": ["variables.i.image"]}"#)
            + Self.part("0", "12345", file: "a.png", type: "image/png") + "--B--\r\n"
        let answer = try mock.ask("POST", "/graphql", [Self.type], body)
        let json = try JSONValue.parse(Array((answer.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
        let poster = try #require(json["data"]?["createPoster"], "\(answer)")
        #expect(poster["filename"] == "a.png")
        #expect(poster["mimetype"] == "image/png")
        #expect(poster["size"] == 5)
        let id = try #require(poster["id"]?.stringValue)
        let later = mock.world.execute("{ poster(id: \"\(id)\") { filename size } }")
        #expect(later["data"]?["poster"] == ["filename": "a.png", "size": 5])
    }

    @Test func filesOfRequestsThatAreSentTogetherHaveTheirPlaces() throws {
        let mock = try RunningMock()
        let query = #"{"query": "query ($f: Upload) { __typename @skip(if: false) }", "variables": {"f": null}}"#
        let body =
            Self.part("operations", "[\(query), \(query)]")
            + Self.part("map", #"{"a": ["0.variables.f", "1.variables.f"]}"#) + Self.part("a", "x", file: "a")
            + "--B--\r\n"
        #expect(Self.status(try mock.ask("POST", "/graphql", [Self.type], body)) == 200)
        #expect(mock.responder.log.entries.prefix(2).allSatisfy { $0.variables.contains(#""filename":"a""#) })
    }

    @Test func formsThatAreNoneHaveAStatus() throws {
        let mock = try RunningMock()
        let query = Self.part("operations", #"{"query": "{__typename}", "variables": {"f": null, "g": 1}}"#)
        let file = Self.part("0", "bytes")
        let end = "--B--\r\n"
        func status(_ body: String, _ type: String = Self.type) throws -> Int? {
            Self.status(try mock.ask("POST", "/graphql", [type], body))
        }
        func map(_ text: String) -> String { query + Self.part("map", text) + file + end }
        let whole = map(#"{"0": ["variables.f"]}"#)
        #expect(try status(whole) == 200)
        #expect(try status(whole, "Content-Type: multipart/form-data") == 400)
        #expect(try status(query + end) == 400)
        for text in [
            #"{"0": ["variables.h"]}"#, #"{"0": ["variables.g"]}"#, #"{"0": ["variables.f.0"]}"#,
            #"{"1": ["variables.f"]}"#, "[]", #"{"0": "variables.f"}"#, #"{"0": [1]}"#, "{", #"{"0": [""]}"#,
            #"{"0": ["variables.f", "variables.f"]}"#,
        ] {
            #expect(try status(map(text)) == 400, "\(text)")
        }
        #expect(try status(query + query + end) == 400)
        #expect(try status("--B\r\nX: y\r\n\r\n\r\n" + end) == 400)
        let long = "--B\r\nX: \(String(repeating: "y", count: FormParts.longestHead))\r\n\r\n\r\n"
        #expect(try status(long + end) == 400)
        #expect(try status((0...FormParts.most).map { Self.part("p\($0)", "") }.joined() + end) == 400)
        for count in RandomCases.seeds(whole.utf8.count) where count < whole.utf8.count - end.utf8.count {
            var parts: FormParts?
            #expect(throws: HTTPProblem.self) {
                parts = try FormParts(Array(whole.utf8.prefix(count)), boundary: "B")
            }
            #expect(parts == nil)
        }
    }

    @Test func aFormHasALimitOfItsOwn() throws {
        var limits = RunningMock.patience
        limits.request.body = 400
        limits.request.form = 1_000
        let mock = try RunningMock(limits)
        let query =
            Self.part("operations", #"{"query": "{__typename}", "variables": {"f": null}}"#)
            + Self.part("map", #"{"0": ["variables.f"]}"#)
        func form(_ size: Int) -> String { query + Self.part("0", String(repeating: "x", count: size)) + "--B--\r\n" }
        let room = 1_000 - form(0).utf8.count
        #expect(room > 400)
        #expect(Self.status(try mock.ask("POST", "/graphql", [Self.type], form(room))) == 200)
        let refused = try mock.ask("POST", "/graphql", [Self.type], form(room + 1))
        #expect(Self.status(refused) == 413)
        #expect(refused.contains("--uploads"))
        let json = String(repeating: " ", count: 401)
        let large = try mock.ask("POST", "/graphql", ["Content-Type: application/json"], json)
        #expect(Self.status(large) == 413)
        #expect(large.contains("--body"))
    }

    @Test func damagedFormsNeverEndTheServer() throws {
        let whole =
            Self.part("operations", #"{"query": "{__typename}", "variables": {"f": null}}"#)
            + Self.part("map", #"{"0": ["variables.f"]}"#) + Self.part("0", "bytes", file: "a\"", type: "a")
            + "--B--\r\n"
        for seed in RandomCases.seeds(400, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let request = ReceivedRequest(
                method: "POST", target: "/", isOldVersion: false,
                headers: ["Content-Type": "multipart/form-data; boundary=B"], body: bytes)
            do throws(HTTPProblem) {
                _ = try UploadForm(request)
            } catch {
                #expect(error.status == 400)
            }
        }
    }
}
