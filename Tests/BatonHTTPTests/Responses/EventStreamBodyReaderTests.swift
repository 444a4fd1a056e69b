import Baton
import Testing

@testable import BatonHTTP

@Suite("EventStreamBodyReader")
struct EventStreamBodyReaderTests {
    private func parsed(_ text: String, cutAt cuts: [Int] = []) throws -> [ServerSentEvent] {
        var parser = EventStreamParser(limit: 1000)
        var events: [ServerSentEvent] = []
        var start = 0
        let bytes = Array(text.utf8)
        for cut in cuts + [bytes.count] {
            try parser.read(Array(bytes[start..<cut])) { events.append($0) }
            start = cut
        }
        return events
    }

    @Test("lines end with CR, LF or both; comments, ids and unknown fields are ignored")
    func lineEndsCommentsAndUnknownFieldsDoNotMatter() throws {
        for end in ["\n", "\r", "\r\n"] {
            let lines = [
                "\u{FEFF}: hello", "id: 7", "retry: 10", "event: next", "data:{\"a\":", "data: 1", "data", "data:  }",
                "foo", "event\u{20}: no", "", "", ":", "data:x", "", "event:complete", "", "data: lost",
            ]
            let text = lines.joined(separator: end)
            let expected = [
                ServerSentEvent(name: "next", data: Array("{\"a\":\n1\n\n }".utf8)),
                ServerSentEvent(name: "", data: Array("x".utf8)), ServerSentEvent(name: "complete"),
            ]
            #expect(try parsed(text) == expected)
            for cut in 0...text.utf8.count { #expect(try parsed(text, cutAt: [cut]) == expected, "\(cut)") }
            #expect(try parsed(text, cutAt: Array(0...text.utf8.count)) == expected)
        }
    }

    @Test("a byte order mark is dropped at the beginning of the stream, and nowhere else")
    func onlyTheFirstMarkIsDropped() throws {
        #expect(try parsed("\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\n").count == 1)
        #expect(try parsed("\u{FEFE}data: 1\n\ndata: 2\n\n").map(\.data) == [[0x32]])
    }

    @Test("events without a name, and messages, are taken for next; others are ignored")
    func eventsWithoutANameAreNext() {
        let stream = ReplayedStream.events(
            "data: {\"data\":1}\n\nevent: message\ndata: {\"data\":2}\n\nevent: ping\ndata: x\n\nevent: next\ndata:\n\n"
                + "event: next\ndata: {\"data\":\ndata: 3}\n\nevent: complete\ndata: \n\n"
                + "event: next\ndata: {\"data\":4}\n\n"
        )
        #expect(stream.bodies == ["{\"data\":1}", "{\"data\":2}", "{\"data\":\n3}"])
        #expect(stream.hasNext == [true, true, true])
        #expect(stream.error == nil)
    }

    @Test("a stream without 'complete' was closed early, unless the response is whole")
    func aStreamWithoutCompleteWasClosedEarly() {
        let open = "event: next\ndata: {\"data\":1,\"hasNext\":true}\n\n"
        #expect(ReplayedStream.events(open).error == .closedEarly(responses: 1, bytes: open.utf8.count))
        #expect(ReplayedStream.events(open, .query).error == .closedEarly(responses: 1, bytes: open.utf8.count))
        let last = open + "event: next\ndata: {\"hasNext\":false}\n\n"
        #expect(ReplayedStream.events(last, .query).hasNext == [true, false])
        for kind in [OperationKind.query, nil] { #expect(ReplayedStream.events(last, kind).error == nil) }
        #expect(ReplayedStream.events(last).error == .closedEarly(responses: 2, bytes: last.utf8.count))
        #expect(ReplayedStream.events("data: {\"data\":1}\n\n", .query).error == nil)
        // The last empty line may be missing.
        #expect(ReplayedStream.events(open + "event: complete\ndata: ").error == nil)
        #expect(ReplayedStream.events(open + "event: complete\n").error == nil)
    }

    @Test("an error event ends the stream with its errors")
    func anErrorEventEndsTheStream() {
        for data in ["[{\"message\":\"no\"}]", "{\"errors\":[{\"message\":\"no\"}]}"] {
            let stream = ReplayedStream.events("data: {\"data\":1}\n\nevent: error\ndata: \(data)\n\n")
            #expect(stream.bodies.count == 1)
            #expect(stream.error == .refused([GraphQLError(message: "no")]))
        }
        #expect(ReplayedStream.events("event: error\n\n").error == .refused([]))
    }

    @Test("an event that is not JSON is refused")
    func anEventThatIsNotJSONIsRefused() {
        let stream = ReplayedStream.events("data: {\"data\":1}\n\ndata: hello\n\n")
        #expect(stream.bodies.count == 1)
        #expect(stream.error?.description.hasPrefix("part 2 of the response is not JSON") == true)
    }

    @Test("the data of an event has a limit, however it comes; what is ignored has none")
    func theDataOfAnEventIsLimited() throws {
        let long = String(repeating: "x", count: 60)
        #expect(ReplayedStream.events("data: \(long)\ndata: \(long)", limit: 100).error == .partTooLarge(limit: 100))
        let ignored = String(repeating: ": \(long)\nfoo: \(long)\n\(long)\nevent: \(long)\ndata\n", count: 50)
        #expect(
            ReplayedStream.events("\(ignored)\n\nevent:complete\n\n", limit: 100).error
                == nil)
    }
}
