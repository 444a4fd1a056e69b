import Testing

@testable import Baton

/// Answers with more errors, or longer ones, than anybody reads.
@Suite struct ErrorLimitTests {
    private let stage = Stage()

    /// Fetches a film that is null because of errors, which are JSON.
    private func errors(_ errors: String, data: String = #""data":null,"#) async -> [GraphQLError] {
        let task = Task { try await stage.environment.fetch(Films.FilmQuery(id: "1")) }
        await until { [stage] in stage.network.waiting == 1 }
        stage.network.answer("{\(data)\"errors\":\(errors)}")
        do { return try await task.value.errors } catch { return (error as? RelayError)?.graphQLErrors ?? [] }
    }

    private var irregularities: [LogEvent.Irregularity] {
        stage.log.events.flatMap { event -> [LogEvent.Irregularity] in
            if case .irregularResponse(let event) = event { event.irregularities } else { [] }
        }
    }

    private func list(_ count: Int, _ error: String) -> String {
        "[\(Array(repeating: error, count: count).joined(separator: ","))]"
    }

    @Test(
        "Of many errors the first thousand are kept, and the log says how many there were.", arguments: [true, false])
    func many(_ hasData: Bool) async {
        let error = #"{"message":"no","path":["film"]}"#
        let kept = await errors(list(20_000, error), data: hasData ? #""data":{"film":null},"# : "")
        #expect(kept.count == 1_000)
        #expect(kept.allSatisfy { $0 == GraphQLError(message: "no", path: [.key("film")]) })
        #expect(irregularities == [.tooManyErrors(20_000, kept: 1_000)])
    }

    @Test("A response that is broken behind a million errors is not used.")
    func broken() async {
        let kept = await errors(list(5_000, #"{"message":"no"}"#).dropLast() + ",nonsense]")
        #expect(kept.isEmpty)
    }

    @Test("Of long errors a megabyte is kept.")
    func bytes() async {
        let error = #"{"message":"no","extensions":{"trace":"\#(String(repeating: "x", count: 50_000))"}}"#
        let kept = await errors(list(100, error))
        #expect((20...22).contains(kept.count))
        #expect(kept.allSatisfy { $0.extensions != nil })
    }

    @Test("Of a long error the message, the path and the locations are kept.", arguments: [true, false])
    func long(_ isLongMessage: Bool) async throws {
        let long = String(repeating: "\u{E9}", count: 100_000)
        let message = isLongMessage ? long : "short"
        let error = """
            {"extensions":{"trace":"\(long)"},"message":"\(message)","locations":[{"line":1,"column":2}],"path":["film"]}
            """
        let kept = try #require(await errors("[\(error)]").first)
        #expect(kept.message == (isLongMessage ? String(repeating: "\u{E9}", count: 4_096) + "..." : "short"))
        #expect(kept.path == [.key("film")] && kept.locations == [.init(line: 1, column: 2)] && kept.extensions == nil)
        #expect(irregularities == [.longError(kept.message, bytes: error.utf8.count)])
    }

    @Test("What a server adds to an error beside the members of the specification is kept and compared.")
    func others() async throws {
        let text = #"{"message":"no","type":"NOT_FOUND","path":["film"],"status":{"code":404},"extensions":{"a":1}}"#
        let kept = try #require(await errors("[\(text)]").first)
        #expect(kept.otherMembers == ["type": "NOT_FOUND", "status": ["code": 404]])
        #expect(kept.extensions == ["a": 1] && kept.path == [.key("film")])
        var other = GraphQLError(message: "no", path: [.key("film")], extensions: ["a": 1])
        #expect(kept != other)
        other.otherMembers = kept.otherMembers
        #expect(kept == other)
        let credentials = Credentials(of: [(key: "Authorization", value: "NOT_FOUND")])
        #expect(credentials.struck(from: kept).otherMembers["type"] == "***")
    }

    @Test("A list of errors of any form keeps its texts.")
    func forms() async {
        let kept = await errors(#"["text", null, 7, {"text":"x"}, {"message":"m"}]"#)
        #expect(kept.map(\.message) == ["text", "null", "7", #"{"text":"x"}"#, "m"])
        #expect(await errors(#"{"message":"alone"}"#).map(\.message) == ["alone"])
        let long = String(repeating: "x", count: 70_000)
        let numbers = Array(repeating: "1", count: 40_000).joined(separator: ",")
        for form in ["\"\(long)\"", "[\(numbers)]", "{\"a\":\"\(long)\"}"] {
            let messages = await errors("[\(form)]").map(\.message)
            #expect(messages.count == 1 && messages.allSatisfy { $0.utf8.count <= 8_195 })
        }
    }

    @Test("An error in one line stays short.")
    func descriptions() {
        let errors = Array(repeating: GraphQLError(message: String(repeating: "x", count: 8_000)), count: 1_000)
        for error in [
            RelayError.noData(errors), .hasErrors(errors), .transport(RelayError.StreamError.refused(errors)),
        ] {
            #expect(error.description.utf8.count < 6_000)
            #expect(error.description.contains("and 990 more"))
        }
    }

    @Test("A text is cut between characters.")
    func cut() {
        #expect("abc".cut(to: 3) == "abc")
        #expect("abcd".cut(to: 3) == "abc...")
        #expect("a\u{E9}b".cut(to: 2) == "a...")
        #expect("\u{1F600}".cut(to: 3) == "...")
        #expect("abc".cut(to: -1) == "...")
    }

    @Test("An empty body is called that.", arguments: ["", " \n"])
    func empty(_ body: String) async {
        let task = Task { try await stage.environment.fetch(Films.FilmQuery(id: "1")) }
        await until { [stage] in stage.network.waiting == 1 }
        stage.network.answer(body)
        let error = await #expect(throws: RelayError.self) { try await task.value }
        #expect(error?.description.contains("its body is empty") == true)
    }
}
