import Baton
import RandomCases
import Testing

@testable import BatonHTTP

/// Answers in parts and event streams of real servers, cut at every position.
@Suite("Captured streams", .enabled(if: Capture.folder != nil, "the captures of servers are not there"))
struct CapturedStreamTests {
    private static let captures = Result { try Capture.all().filter(\.isStream) }

    @Test("every captured stream gives the responses that it holds, wherever it is cut")
    func aStreamMayBeCutAnywhere() throws {
        var generator = SeededGenerator(seed: 1)
        let captures = try Self.captures.get()
        #expect(captures.count == 40)
        for capture in captures {
            let whole = ReplayedStream(capture.body, with: capture.reader)
            #expect(whole.bodies == capture.expectedBodies, "\(capture.name)")
            #expect(whole.error == nil, "\(capture.name)")
            #expect(!whole.bodies.isEmpty, "\(capture.name)")
            for cut in 0...capture.body.count {
                let stream = ReplayedStream(capture.body, cutAt: [cut], with: capture.reader)
                if stream != whole { Issue.record("\(capture.name) cut at \(cut): \(stream)") }
            }
            for _ in 0..<20 {
                let cuts = generator.cuts(of: capture.body.count)
                let stream = ReplayedStream(capture.body, cutAt: cuts, with: capture.reader)
                if stream != whole { Issue.record("\(capture.name) cut at \(cuts): \(stream)") }
            }
        }
    }

    @Test("the last response of a query, and only that one, has no next; events of a subscription have one")
    func onlyTheLastResponseHasNoNext() throws {
        for capture in try Self.captures.get() {
            let stream = ReplayedStream(capture.body, with: capture.reader)
            let isSubscription = capture.kind == .subscription
            #expect(
                stream.hasNext == stream.bodies.indices.map { isSubscription || $0 < stream.bodies.count - 1 },
                "\(capture.name)")
        }
    }

    @Test("a stream that ends too early is not taken for a complete one")
    func anIncompleteStreamIsNotTakenForAWholeOne() throws {
        for capture in try Self.captures.get() {
            let whole = ReplayedStream(capture.body, with: capture.reader)
            // A reader is a value, so that one pass shows all beginnings.
            var reader: any BodyReader = capture.reader
            var bodies: [String] = []
            for (length, byte) in capture.body.enumerated() {
                var cut = reader
                let end = try? cut.end()
                // Only the line end after the last delimiter may be missing.
                if end != nil, bodies != whole.bodies { Issue.record("\(capture.name) \(length)") }
                bodies += try reader.read([byte]).map { String(decoding: $0.body, as: UTF8.self) }
            }
            #expect(bodies == whole.bodies, "\(capture.name)")
        }
    }

    @Test("streams with changed bytes end, give the same however they are cut, and stay within their limits")
    func damagedStreamsEndWithinTheirLimits() throws {
        var generator = SeededGenerator(seed: 2)
        let bytes = Array("{}[]\",:-\r\n \\n\0\u{FF}".utf8)
        for capture in try Self.captures.get() {
            for _ in 0..<RandomCases.count(40) {
                var body = capture.body
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = Int.random(in: 0..<body.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: body.remove(at: index)
                    case 1: body.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
                    case 2: body[index] = UInt8.random(in: .min ... .max, using: &generator)
                    default: body.removeSubrange(index..<min(index + 9, body.count))
                    }
                    if body.isEmpty { break }
                }
                let whole = ReplayedStream(body, with: capture.reader)
                let cut = ReplayedStream(body, cutAt: generator.cuts(of: body.count), with: capture.reader)
                if cut != whole { Issue.record("\(capture.name): \(whole), \(cut)") }
                #expect(whole.bodies.allSatisfy { $0.utf8.count <= body.count })
            }
        }
    }

    @Test(
        "a response in parts that was captured gives the store what the same response in one piece gives",
        arguments: ["gcore332", "gcorea6", "strawberry"])
    func anAnswerInPartsIsStoredLikeAWholeOne(server: String) throws {
        let bio = "\"R2-D2 has a long story.\""
        try check(
            ["\(server)-defer", "\(server)-defer-apollo-accept"],
            plan: "{hero:Hero{name:String <>@defer(\"bio\"){slowBio:String name:String}}}",
            whole: "{hero:Hero{name:String slowBio:String}}",
            data: "{\"hero\":{\"name\":\"R2-D2\",\"slowBio\":\(bio)}}")
        let friends = ["Luke Skywalker", "Han Solo", "Leia Organa"]
        try check(
            ["\(server)-defer-nested-multi"],
            plan: "{hero:Hero{name:String <>@defer(\"a\"){slowBio:String friends:[Hero]{name:String <>@defer(\"b\")"
                + "{slowBio:String}}} <>@defer(\"c\"){id:String b2:String}}}",
            whole:
                "{hero:Hero{name:String slowBio:String friends:[Hero]{name:String slowBio:String} id:String "
                + "b2:String}}",
            data: "{\"hero\":{\"name\":\"R2-D2\",\"slowBio\":\(bio),\"friends\":["
                + friends.map { "{\"name\":\"\($0)\",\"slowBio\":\"\($0) has a long story.\"}" }.joined(separator: ",")
                + "],\"id\":\"2001\",\"b2\":\(bio)}}")
        for (name, field) in [("stream", "friendStream"), ("stream-list", "friends")] {
            try check(
                ["\(server)-\(name)"],
                plan: "{hero:Hero{name:String \(field):[Hero]@stream(\"fr\",1){name:String}}}",
                whole: "{hero:Hero{name:String \(field):[Hero]{name:String}}}",
                data: "{\"hero\":{\"name\":\"R2-D2\",\"\(field)\":["
                    + friends.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",") + "]}}")
        }
        try check(
            ["\(server)-defer-error"],
            plan: "{hero:Hero{name:String <>@defer(\"x\"){secretBackstory:String} <>@defer(\"y\"){slowBroken:String}}}",
            whole: "{hero:Hero{name:String secretBackstory:String}}",
            data: "{\"hero\":{\"name\":\"R2-D2\",\"secretBackstory\":null}}",
            errors: ["secretBackstory is secret.", "the database is on fire"])
    }

    private func check(
        _ names: [String], plan: String, whole: String, data: String, errors: [String] = []
    ) throws {
        let expected = Store()
        let operation = expected.bind(artifact(whole, reader: whole), variables: .object([]))
        expected.publish(try expected.normalize(Array("{\"data\":\(data)}".utf8), for: operation), for: operation)
        let json = expected.json(of: operation)
        for name in names {
            let capture = try #require(try Self.captures.get().first { $0.name == name })
            let store = Store()
            let parts = store.bind(artifact(plan, reader: whole), variables: .object([]))
            var delivery = try #require(IncrementalDelivery(parts))
            var messages: [String] = []
            for body in ReplayedStream(capture.body, with: capture.reader).bodies {
                let payload = try store.normalize(Array(body.utf8), into: &delivery)
                store.publish(payload.response, for: parts)
                messages = payload.response.errors.map(\.message)
            }
            try delivery.finish()
            #expect(store.json(of: parts) == json, "\(name)")
            #expect(json != nil)
            #expect(messages == errors, "\(name)")
        }
    }

    private func artifact(_ plan: String, reader: String) -> GeneratedCode.OperationArtifact {
        .init(name: "Captured", kind: .query, text: "", normalization: plan, reader: reader)
    }
}

extension Capture {
    fileprivate var isEventStream: Bool { contentType?.hasPrefix("text/event-stream") == true }
    fileprivate var isStream: Bool { isEventStream || contentType?.hasPrefix("multipart/mixed") == true }

    fileprivate var kind: OperationKind {
        name.contains("-sub") || bodyText.contains("countdown") || name.hasSuffix("validation-error")
            ? .subscription : .query
    }

    fileprivate var reader: any BodyReader {
        isEventStream
            ? EventStreamBodyReader(kind: kind, limit: 10_000)
            : MultipartBodyReader(contentType: contentType ?? "", kind: kind, limit: 10_000)
    }

    /// The expected responses by another rule than that of the tested code: each line that begins like an object is
    /// one.
    fileprivate var expectedBodies: [String] {
        bodyText.split { $0.isNewline }.compactMap { line -> String? in
            var text = line.hasPrefix("data: ") ? line.dropFirst(6) : line
            guard text.hasPrefix("{"), text != "{}" else { return nil }
            for wrapping in ["{\"payload\":", "{\"payload\": "] where text.hasPrefix(wrapping) {
                guard text.dropFirst(wrapping.count).first == "{" else { continue }
                text = text.dropFirst(wrapping.count).dropLast()
            }
            return String(text)
        }
    }
}

extension SeededGenerator {
    mutating func cuts(of count: Int) -> [Int] {
        (0..<Int.random(in: 1...12, using: &self)).map { _ in Int.random(in: 0...count, using: &self) }.sorted()
    }
}
