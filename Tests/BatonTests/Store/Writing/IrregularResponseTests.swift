import Testing

@testable import Baton

/// Answers that break a specification but are read.
struct IrregularResponseTests {
    private let plan = "{me:+U{id:ID! name:String f:Float n:Int j:%JSON}}"

    private func read(_ body: String, _ plan: String? = nil) throws -> (
        store: Store, response: StagedResponse, JSONValue
    ) {
        let store = Store()
        let operation = store.bind(
            .init(name: "Q", kind: .query, text: "", normalization: plan ?? self.plan, reader: plan ?? self.plan),
            variables: [:])
        let response = try store.normalize(Array(body.utf8), for: operation)
        store.publish(response, for: operation)
        return (store, response, store.json(of: operation))
    }

    /// Odd values in members without a selection, in keys, in scalars without a conversion, and in extensions.
    @Test(arguments: ["1e400", "-1e999", #""\ud800""#, #"{"\udc00":[1e400]}"#, #"[[{"a":"\ud83d\ud83d"}]]"#])
    func nobodyIsRefusedForWhatNobodySelected(_ odd: String) throws {
        let (_, response, value) = try read(
            "{\"odd\":\(odd),\"data\":{\"odd\":\(odd),\"me\":{\"odd\":\(odd),\"id\":\"1\",\"name\":\"x\",\"j\":\(odd)}},"
                + "\"extensions\":{\"odd\":\(odd)}}")
        #expect(value["me"]?["name"] == "x")
        #expect(response.extensions == ["odd": try JSONValue.parse(odd)])
        #expect(response.irregularities.isEmpty == !odd.contains("\\u"))
    }

    /// An unmapped scalar keeps the number as it was written.
    @Test func anUnmappedScalarKeepsAHugeNumber() throws {
        let (_, _, value) = try read(#"{"data":{"me":{"id":"1","j":[1e400, 1]}}}"#)
        #expect(value["me"]?["j"] == "[1e400,1]")
    }

    @Test(arguments: [("f", "Float"), ("n", "Int")])
    func aHugeNumberIsRefusedWhereANumberIsSelected(_ key: String, _ type: String) throws {
        let body = "{\"data\":{\"me\":{\"id\":\"1\",\"name\":\"x\",\"\(key)\":1e400}}}"
        do throws(RelayError.InvalidResponse) {
            let store = Store()
            _ = try store.normalize(
                Array(body.utf8),
                for: store.bind(
                    .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan), variables: [:]))
            Issue.record("it was taken")
        } catch {
            #expect(error.reason == .unexpectedValue(expected: type, found: "1e400"))
            #expect(error.path == ["me", .key(key)])
        }
    }

    /// The irregularity is reported again when the text changes nothing, and also for an ID.
    @Test func halfOfASurrogatePairIsTold() throws {
        let store = Store()
        let operation = store.bind(
            .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan), variables: [:])
        let body = Array(#"{"data":{"me":{"id":"\ud800","name":"a\udc00 long enough for words"}}}"#.utf8)
        for _ in 0..<2 {
            let response = try store.normalize(body, for: operation)
            #expect(response.irregularities == [.loneSurrogate(path: ["me", "id"])])
            store.publish(response, for: operation)
        }
        #expect(store.json(of: operation)["me"]?["name"] == "a\u{fffd} long enough for words")
        let name = try read(#"{"data":{"me":{"id":"1","name":"\ud800"}}}"#).response.irregularities
        #expect(name == [.loneSurrogate(path: ["me", "name"])])
        #expect(name.map(\.description) == ["a text at me.name holds half of a surrogate pair; it was read as U+FFFD"])
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        let (_, response, value) = try read("\u{feff}" + #"{"data":{"me":{"id":"1","name":"x"}}}"#)
        #expect(value["me"]?["name"] == "x" && response.irregularities.isEmpty)
        let error = #expect(throws: RelayError.InvalidResponse.self) {
            try read("\u{feff}" + #"{"data":{"me":{"id":"1","name":5}}}"#)
        }
        #expect(error?.path == ["me", "name"])
        #expect(throws: RelayError.InvalidResponse.self) { try read("\u{feff}") }
    }

    // MARK: - Errors

    @Test func oddPathsKeepWhatTheySay() throws {
        let paths: [(String, [JSONValue.PathComponent]?, Bool)] = [
            (#"["me","name"]"#, ["me", "name"], true), ("[]", [], true), ("null", nil, true),
            (#"["me",1.0,2e0]"#, ["me", 1, 2], true),
            (#"["me",-1]"#, ["me", -1], false), (#"["me",1.5,"name"]"#, ["me", "1.5", "name"], false),
            (#"["me",1e300]"#, ["me", "1e+300"], false), (#"["me",1e400,null]"#, ["me", "1e999", "null"], false),
            (#"[true,{"a":[1]}]"#, ["true", #"{"a":[1]}"#], false), (#""me.name""#, ["me.name"], false),
            ("7", [7], false), (#"{"a":1}"#, [#"{"a":1}"#], false),
        ]
        for (text, path, isRegular) in paths {
            let response = try read("{\"data\":{\"me\":null},\"errors\":[{\"message\":\"m\",\"path\":\(text)}]}")
                .response
            #expect(response.errors == [GraphQLError(message: "m", path: path)])
            let value = try JSONValue.parse(text)
            #expect(
                response.irregularities == (isRegular ? [] : [.malformedError("m", member: "path", value)]), "\(text)")
        }
    }

    @Test func oddLocationsAreTold() throws {
        let good = #"{"line":1,"column":2.0}"#
        for (text, count, isRegular) in [
            ("[\(good)]", 1, true), ("null", 0, true), ("[\(good),{\"line\":1}]", 1, false), ("[3]", 0, false),
            ("\"1:2\"", 0, false),
        ] {
            let response = try read("{\"data\":{\"me\":null},\"errors\":[{\"message\":\"m\",\"locations\":\(text)}]}")
                .response
            let location = GraphQLError.Location(line: 1, column: 2)
            #expect(response.errors.map(\.locations) == [Array(repeating: location, count: count)])
            #expect(response.irregularities.isEmpty == isRegular, "\(text)")
        }
    }

    @Test func theLogIsTold() async throws {
        let stage = Stage()
        try await stage.seed(
            Films.TitleQuery(id: "1"),
            #"{"data":{"film":{"id":"1","title":"\ud800"}},"errors":[{"message":"m","path":[1.5]}]}"#)
        let events = stage.log.events.compactMap { if case .irregularResponse(let event) = $0 { event } else { nil } }
        #expect(
            events.map(\.irregularities) == [
                [.malformedError("m", member: "path", [1.5]), .loneSurrogate(path: ["film", "title"])]
            ])
        #expect(events.map(\.operationName) == [Films.TitleQuery.artifact.name])
    }
}
