import Baton
import Testing

@testable import BatonHTTP

@Suite("MultipartBodyReader")
struct MultipartBodyReaderTests {
    @Test(
        "the boundary is found in every spelling",
        arguments: [
            ("multipart/mixed; boundary=\"-\"; deferSpec=20220824", "-"),
            ("multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json", "graphql"),
            ("multipart/mixed;subscriptionSpec=\"1.0; boundary=no\"; BOUNDARY = \"a \\\"b\\\"\"", "a \"b\""),
            ("multipart/mixed", "-"), ("multipart/mixed;boundary=", "-"), ("multipart/mixed;boundary", "-"),
            ("multipart/mixed;boundary=x,application/json", "x"),
        ])
    func theBoundaryIsFoundInEverySpelling(contentType: String, boundary: String) {
        #expect(MultipartBodyReader.boundary(of: contentType) == boundary)
    }

    @Test("a preamble, an epilogue, other line ends and header fields change nothing")
    func aPreambleAndAnEpilogueChangeNothing() {
        let texts = [
            "--b\r\nContent-Type: application/json\r\n\r\n"
                + "{\"data\":{},\"hasNext\":true}\r\n--b\r\n\r\n{\"hasNext\":false}\r\n--b--",
            "Hello\r\n--bottle\r\n--b  \r\nCONTENT-length: 3\r\nX: {\r\n  folded\r\n\r\n"
                + " {\"data\":{},\"hasNext\":true} \r\n\r\n--b\n\n\u{FEFF}{\"hasNext\":false}\n--b--\r\nend",
            "\n--b\n{\"data\":{},\"hasNext\":true}\n--b\nA: b\n\n{\"hasNext\":false}",
            "{\"data\":{},\"hasNext\":true}\r\n--b\r\n\r\n{\"hasNext\":false}\r\n--b--",
        ]
        for text in texts {
            let stream = ReplayedStream.multipart(text)
            #expect(stream.bodies == ["{\"data\":{},\"hasNext\":true}", "{\"hasNext\":false}"], "\(text)")
            #expect(stream.hasNext == [true, false], "\(text)")
            #expect(stream.error == nil, "\(text)")
        }
    }

    @Test("a part is given when its JSON is complete, before its delimiter comes")
    func aPartIsGivenBeforeItsDelimiter() throws {
        var reader = MultipartBodyReader(contentType: "multipart/mixed", kind: .subscription, limit: 100)
        #expect(try reader.read(Array("\r\n---\r\n\r\n{\"data\":{\"a\":[1]}".utf8)).isEmpty)
        #expect(try reader.read(Array("}".utf8)).map(\.body) == [Array("{\"data\":{\"a\":[1]}}".utf8)])
        #expect(!reader.isOver)
    }

    @Test("a server that does not defer gives one response")
    func aServerThatDoesNotDeferGivesOneAnswer() {
        let stream = ReplayedStream.multipart("--b\r\n\r\n{\"data\":{\"a\":1}}\r\n--b--\r\n")
        #expect(stream.bodies == ["{\"data\":{\"a\":1}}"])
        #expect(stream.hasNext == [false])
        #expect(stream.error == nil)
    }

    @Test("events of a subscription are unwrapped byte for byte, and heartbeats are dropped")
    func eventsAreUnwrappedByteForByte() {
        let stream = ReplayedStream.multipart(
            "--b\r\n\r\n{}\r\n--b\r\n\r\n{ \"payload\" : {\"data\": { \"n\":1.0 , \"s\":\"\\u0041}\"} } }\r\n"
                + "--b\r\n\r\n{}\n"
                + "--b\r\n\r\n{\"data\":{\"n\":2}}\r\n--b\r\n\r\n{\"payload\":{}}\r\n"
                + "--b\r\n\r\n{\"payload\":null}\r\n--b--",
            .subscription)
        #expect(stream.bodies == ["{\"data\": { \"n\":1.0 , \"s\":\"\\u0041}\"} }", "{\"data\":{\"n\":2}}"])
        #expect(stream.hasNext == [true, true])
        #expect(stream.error == nil)
    }

    @Test("errors beside the payload end the subscription, after the event that they come with")
    func errorsBesideThePayloadEndTheSubscription() {
        let error = RelayError.StreamError.refused([GraphQLError(message: "no")])
        let alone = ReplayedStream.multipart(
            "--b\n\n{\"payload\":{\"data\":1}}\n"
                + "--b\n\n{\"payload\":null,\"errors\":[{\"message\":\"no\"}]}\n--b\n\n{\"data\":2}",
            .subscription)
        #expect(alone.bodies == ["{\"data\":1}"])
        #expect(alone.error == error)
        let beside = ReplayedStream.multipart(
            "--b\n\n{\"errors\":[{\"message\":\"no\"}],\"payload\":{\"data\":1}}\n", .subscription)
        #expect(beside.bodies == ["{\"data\":1}"])
        #expect(beside.error == error)
    }

    @Test("'done' ends a subscription, with the last event or alone")
    func doneEndsASubscription() {
        for end in ["{\"done\":true}", "{\"payload\":{\"data\":2},\"done\":true}"] {
            let stream = ReplayedStream.multipart(
                "--b\n\n{\"payload\":{\"data\":1}}\n--b\n\n\(end)\n--b\n\n{\"payload\":{\"data\":3}}\n", .subscription)
            #expect(stream.bodies.last == (end.contains("data") ? "{\"data\":2}" : "{\"data\":1}"))
            #expect(stream.error == nil)
        }
    }

    @Test("a body that ends too early says how much had arrived")
    func anIncompleteBodySaysHowMuchHadArrived() {
        let text = "--b\r\n\r\n{\"data\":{},\"hasNext\":true}\r\n--b\r\n\r\n{\"incremental\":["
        let stream = ReplayedStream.multipart(text)
        #expect(stream.bodies.count == 1)
        #expect(stream.error == .closedEarly(responses: 1, bytes: text.utf8.count))
        #expect(ReplayedStream.multipart("").error == .closedEarly(responses: 0, bytes: 0))
        #expect(ReplayedStream.multipart("--b\r\n\r\n{\"data\":1}", .subscription).error != nil)
    }

    @Test(
        "a part that is not JSON is refused, after the parts before it",
        arguments: [
            "<html>", "[1]", "{\"a\":1,}", "{\"a\":\"x\n\"}", "{\"hasNext\":true}{}", "{\"hasNext\":true}x",
            "{\"a\":[1}",
            "{\"a\":\"\\x\"}",
            "{\"a\":1\r\n--b\r\n\r\n{}", "{\"payload\":1}", "{\"payload\":[]}",
        ])
    func aPartThatIsNotJSONIsRefused(part: String) {
        let stream = ReplayedStream.multipart(
            "--b\r\n\r\n{\"data\":{},\"hasNext\":true}\r\n--b\r\nContent-Type: text/html\r\n\r\n\(part)\r\n--b--")
        #expect(stream.bodies.first == "{\"data\":{},\"hasNext\":true}")
        guard case .malformedPart = stream.error else {
            Issue.record("\(stream)")
            return
        }
    }

    @Test("a part is limited, and so are the bytes between parts")
    func partsAndTheBytesBetweenThemAreLimited() throws {
        let long = String(repeating: "x", count: 200)
        #expect(ReplayedStream.multipart("--b\n\n{\"a\":\"\(long)\"}", limit: 100).error == .partTooLarge(limit: 100))
        #expect(ReplayedStream.multipart("--b\nA: \(long)", limit: 100).error == .partTooLarge(limit: 100))
        #expect(
            ReplayedStream.multipart("--b\n\n{}\n" + String(repeating: "\n", count: 200), limit: 100).error
                == .partTooLarge(limit: 100))
        // Any number of parts below the limit is fine.
        let many = String(repeating: "--b\r\n\r\n{\"data\":{}}\r\n", count: 1000) + "--b--"
        #expect(ReplayedStream.multipart(many, .subscription, limit: 100).bodies.count == 1000)
    }
}
