// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import Testing

@testable import Baton

/// Results as JSON and back, and their hashes: for random plans and answers.
@Suite struct JSONOfDataTests {
    static func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(
            name: "R", kind: .query, text: "", normalization: plan, reader: plan,
            scalars: [GeneratedCode.ScalarDecoder("Date", Day.self)])
    }

    /// Reads JSON as the data of a plan, in a store of its own.
    private func read(_ json: JSONValue, _ plan: String, _ variables: JSONValue) throws -> ReadResult<AnyData> {
        let store = Store()
        let operation = store.bind(Self.artifact(plan), variables: variables)
        try store.write(JSONValue.object([.init("data", json)]).text, for: operation)
        return store.read(AnyData.self, of: operation)
    }

    /// Calls `body` with random results: for a few plans, with two sets of variables, at several versions of a store.
    static func results(
        _ seed: Int, _ body: (AnyData, String, JSONValue, [SelectionPlan.Item]) throws -> Void
    ) throws {
        var server = RandomServer(seed: UInt64(seed))
        let store = Store()
        for _ in 0..<3 {
            let text = server.plan()
            let plan = try SelectionPlan.decode(text)
            for on in [true, false] {
                let variables: JSONValue = ["on": .bool(on), "n": .int(on ? 3 : 4)]
                let operation = store.bind(artifact(text), variables: variables)
                for _ in 0..<2 {
                    let answer = server.answer(plan, VariableValues(sent: variables, declared: plan.variables))
                    store.publish(
                        try store.normalize(server.body(answer, isOdd: false), for: operation), for: operation)
                    if let data = store.read(AnyData.self, of: operation).data {
                        try body(data, text, variables, plan.items)
                    }
                    server.change()
                    server.change()
                }
            }
        }
    }

    @Test(arguments: RandomCases.seeds(8)) func jsonReadAgainIsEqual(_ seed: Int) throws {
        try Self.results(seed) { data, plan, variables, items in
            let json = JSONValue(data)
            let again = try read(json, plan, variables)
            #expect(again.data == data, "\(plan) \(json.text)")
            #expect(again.data.map { JSONValue($0).text } == json.text, "\(plan)")
            #expect(again.data?.hashValue == data.hashValue, "\(plan)")
            #expect(again.data?.json(items, types: true) == data.json(items, types: true), "\(plan)")
        }
    }

    @Test(arguments: RandomCases.seeds(6)) func equalDataHaveEqualHashes(_ seed: Int) throws {
        var all: [(data: AnyData, plan: String, shown: JSONValue)] = []
        try Self.results(seed) { data, plan, _, items in all.append((data, plan, data.json(items, types: true))) }
        var (equal, different, collisions) = (0, 0, 0)
        for (index, first) in all.enumerated() {
            for second in all[index...] where first.plan == second.plan {
                // What is shown decides, whatever the variables and the version.
                #expect((first.data == second.data) == (first.shown == second.shown), "\(first.plan)")
                if first.data == second.data {
                    equal += 1
                    #expect(first.data.hashValue == second.data.hashValue, "\(first.plan)")
                } else {
                    different += 1
                    if first.data.hashValue == second.data.hashValue { collisions += 1 }
                }
            }
        }
        #expect(equal > 0 && collisions == 0, "\(different) differ")
    }

    /// The same row with another argument is other data.
    @Test func dataWithOtherVariablesAreOtherData() throws {
        let store = Store()
        let artifact = Self.artifact("(n){f(n:$n):Int a:+A{id:ID! g(n:$n):[Int!]}}")
        let operations = (1...3).map { store.bind(artifact, variables: ["n": .int($0)]) }
        for (operation, values) in zip(operations, [(1, "[1]"), (2, "[2]"), (1, "[1]")]) {
            try store.write(
                #"{"data":{"f":\#(values.0),"a":{"id":"1","g":\#(values.1)}}}"#, for: operation)
        }
        let data = try operations.map { try #require(store.read(AnyData.self, of: $0).data) }
        #expect(data[0] != data[1] && data[0] == data[2])
        #expect(data[0].hashValue != data[1].hashValue && data[0].hashValue == data[2].hashValue)
        #expect(Set(data).count == 2)
    }

    /// What the variables exclude shows what null shows.
    @Test func anExcludedFieldIsEqualToNull() throws {
        let plan = "(on){a:+A{id:ID! [on]name:String [on]b:+A{id:ID!}}}"
        let json: JSONValue = ["a": ["id": "1", "name": nil, "b": nil]]
        let with = try #require(try read(json, plan, ["on": true]).data)
        let without = try #require(try read(json, plan, ["on": false]).data)
        #expect(with == without && with.hashValue == without.hashValue)
        let named = try read(["a": ["id": "1", "name": "x"]], plan, ["on": true]).data
        #expect(named != without)
        #expect(JSONValue(without) == ["a": ["id": "1"]])
        #expect(JSONValue(with) == json)
    }

    /// Numbers are compared as they are stored, and a store holds every number of a Float as a double.
    @Test func aFloatIsADouble() throws {
        let (one, other) = try (read(["f": 1], "{f:Float}", [:]), read(["f": 1.0], "{f:Float}", [:]))
        #expect(one.data == other.data && one.data?.hashValue == other.data?.hashValue)
    }

    @Test func caughtErrorsAreHashed() throws {
        let store = Store()
        let operation = store.bind(People.artifact("{}"), variables: .object([]))
        func data(_ errors: String?) throws -> People.Caught {
            try store.write(People.answer(FieldErrorTests.full, errors: errors), for: operation)
            return try #require(store.read(People.Caught.self, People.artifact(People.Caught.plan)).data)
        }
        let none = try data(nil)
        let first = try data(People.error("e", #""user","email""#))
        let again = try data(People.error("e", #""user","email""#))
        let other = try data(People.error("x", #""user","email""#))
        func hash(_ data: People.Caught) -> Int {
            var hasher = Hasher()
            data.hash(into: &hasher)
            return hasher.finalize()
        }
        #expect(first == again && hash(first) == hash(again))
        #expect(Set([none, first, other].map(hash)).count == 3)
        // An error that is caught as null shows null.
        let user = FieldErrorTests.full.replacing(#""name":"C""#, with: #""name":null"#)
        let error = People.error("e", #""user","friends",0,"name""#)
        try store.write(People.answer(user, errors: error), for: operation)
        let nulls = try #require(store.read(People.Caught.self, People.artifact(People.Caught.plan)).data)
        #expect(nulls.user?.friends == nil)
        try store.write(
            People.answer(#"{"id":"1","name":"A","email":null,"best":{"id":"2","name":null},"friends":null}"#),
            for: operation)
        let null = try #require(store.read(People.Caught.self, People.artifact(People.Caught.plan)).data)
        #expect(nulls == null && hash(nulls) == hash(null))
    }

    // MARK: - Payloads

    @Test func aPayloadBecomesDataWithReferences() throws {
        let text = #"{"user":{"id":"1","name":"A","email":"m"}}"#
        let data = try People.OpenCardQuery.Data(.data(json: text), for: People.OpenCardQuery())
        #expect(data.user?.name == "A")
        #expect(JSONValue(data).text == #"{"user":{"name":"A"}}"#, "what the fragment selects is not shown")
        let card = try #require(data.user?.card)
        for _ in 0..<2 {
            let handle = FragmentHandle(card)
            #expect(handle.get().data?.name == "A" && handle.get().data?.email == .success("m"))
        }
    }

    @Test func aPayloadSaysWhatIsWrong() throws {
        func error(_ payload: GraphQLPayload<People.StrictQuery>) -> RelayError? {
            do throws(RelayError) {
                _ = try People.StrictQuery.Data(payload, for: People.StrictQuery())
                return nil
            } catch {
                return error
            }
        }
        #expect(error(.data(json: #"{"user":{"name":"A"}}"#)) == nil)
        #expect(
            error(.data(json: #"{"user":{}}"#))
                == .missingNonNullField(path: ["user", "name"], component: "StrictQuery"))
        guard case .invalidResponse(let response)? = error(.data(json: #"{"user":7}"#))?.reason else {
            Issue.record("\(String(describing: error(.data(json: #"{"user":7}"#))))")
            return
        }
        #expect(response.path == ["user"])
        guard error(.data(json: "{"))?.code == .invalidResponse else {
            Issue.record("malformed JSON was read")
            return
        }
        #expect(error(.response(json: #"{"data":null,"errors":[{"message":"no"}]}"#))?.graphQLErrors.count == 1)
    }

    @Test func aStoredAnswerCanBePublishedAgain() async throws {
        let stage = Stage()
        let query = People.OpenCardQuery()
        try await stage.seed(query, People.answer(FieldErrorTests.full))
        let json = stage.environment.json(of: query)
        #expect(json["user"]?["email"] == .null && json["user"]?["id"] == "1")
        let data = try People.OpenCardQuery.Data(.data(json), for: query)
        #expect(data.user?.name == "A")
        let other = Stage()
        try other.environment.publish(.data(json), for: query)
        #expect(other.environment.json(of: query) == json)
    }
}

extension AnyData: Hashable {}

extension People {
    /// A query whose data needs a user with a name.
    struct StrictQuery: GraphQLQuery {
        static let artifact = People.artifact("{user:+User!{name:String!}}", name: "StrictQuery")

        var variables: CardQuery.Variables
        init(variables: CardQuery.Variables = .init()) { self.variables = variables }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: Strict.Best { __row.object(0) }
        }
    }
}
