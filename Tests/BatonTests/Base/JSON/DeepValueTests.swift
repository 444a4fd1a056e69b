// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Hand-made values that are nested deeper than a stack allows.
@Suite(.timeLimit(.minutes(20))) struct DeepValueTests {
    private static let depth = 20_000
    /// Swift destroys nested values by recursion, which takes the more of the stack the more values a level has.
    private static let inputDepth = 3_000

    private static func deep(_ depth: Int = depth, _ core: JSONValue = 1) -> JSONValue {
        (0..<depth).reduce(core) { value, level in level % 2 == 0 ? .array([value]) : .object([.init("a", value)]) }
    }

    @Test func deepJSONIsPrintedComparedAndHashed() {
        let (value, same, other) = (Self.deep(), Self.deep(), Self.deep(Self.depth, 2))
        #expect(value.text.utf8.count == Self.depth / 2 * 8 + 1)
        #expect(value == same)
        #expect(value != other)
        #expect(value.hashValue == same.hashValue)
        #expect(StorageKey("field", [("deep", value)]) == StorageKey("field", [("deep", same)]))
        #expect(value.isDeeper(than: Self.depth - 1) && !value.isDeeper(than: Self.depth))
    }

    @Test func orderOfMembersStillDoesNotCount() {
        let (left, right): (JSONValue, JSONValue) = (
            ["a": [1, ["x": 1, "y": []]], "b": ["c": [:]]], ["b": ["c": [:]], "a": [1, ["y": [], "x": 1]]]
        )
        #expect(left == right && left.hashValue == right.hashValue)
        #expect(left != ["a": [1, ["x": 1, "y": []]], "b": ["d": [:]]])
        #expect(JSONValue.array([[], [[]]]) != .array([[[]], []]))
        #expect(left.text == #"{"a":[1,{"x":1,"y":[]}],"b":{"c":{}}}"#)
    }

    /// `input Filter { not: Filter, any: [Filter!] }`
    private struct Filter: GeneratedCode.InputObject, Hashable {
        private(set) var __fields: GeneratedCode.InputFields
        init(__fields: GeneratedCode.InputFields) { self.__fields = __fields }
        init(not: GraphQLInput<Filter> = nil, any: GraphQLInput<[Filter]> = nil, title: GraphQLInput<String> = nil) {
            __fields = GeneratedCode.InputFields("not any title", count: 3)
            __fields.addObject(not)
            __fields.addList(any)
            __fields.addString(title)
        }

        static func nested(_ depth: Int, _ core: Filter = Filter()) -> Filter {
            (1..<depth).reduce(core) { filter, level in
                level % 3 == 0 ? Filter(any: [filter]) : Filter(not: filter)
            }
        }
    }

    private struct SearchQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Search", kind: .query, text: "query Search($filter: Filter, $json: JSON) { total }",
            normalization: "(filter,json){total(filter:$filter,json:$json):Int}",
            reader: "(filter,json){total(filter:$filter,json:$json):Int}")
        var variables: Variables

        struct Variables: GeneratedCode.Variables, Hashable {
            var filter = Filter()
            var json = JSONValue.null
            var __fields: GeneratedCode.InputFields {
                .init("filter json") {
                    $0.addObject(filter)
                    $0.addScalar(json, JSONValue.self)
                }
            }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var total: Int? { __row.optionalInt(0) }
        }
    }

    private struct SearchMutation: GraphQLMutation {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Forget", kind: .mutation, text: "mutation Forget($filter: Filter) { total }",
            normalization: "(filter,json){total(filter:$filter,json:$json):Int}",
            reader: "(filter,json){total(filter:$filter,json:$json):Int}")
        var variables: SearchQuery.Variables
        typealias Data = SearchQuery.Data
    }

    private static let refused: [(variable: String, SearchQuery.Variables)] = [
        ("filter", .init(filter: .nested(inputDepth))), ("json", .init(json: deep())),
        ("filter", .init(filter: .nested(JSONValue.maximumDepth * 2))),
    ]

    @Test(arguments: refused.indices) func variablesThatAreTooDeepAreRefusedAndNothingIsSent(_ index: Int) async {
        let stage = Stage()
        let (variable, variables) = Self.refused[index]
        func refusal(_ name: String) -> RelayError {
            .variableTooDeep(operationName: name, variable: variable, limit: JSONValue.maximumDepth)
        }
        await #expect(throws: refusal("Search")) {
            try await stage.environment.fetch(SearchQuery(variables: variables))
        }
        await #expect(throws: refusal("Forget")) {
            try await stage.environment.commit(SearchMutation(variables: variables))
        }
        for policy in FetchPolicy.allCases where policy != .storeOnly {
            let handle = QueryHandle<SearchQuery>(in: stage.environment, fetchPolicy: policy)
            #expect(handle.get(.init()).isLoading)
            #expect(handle.get(variables).isLoading)
            await stage.settle()
            #expect(handle.get(variables) == .failure(refusal("Search")))
            let count = stage.log.fetches.count
            for _ in 0..<3 { #expect(handle.get(variables).error != nil) }
            await stage.settle()
            #expect(stage.log.fetches.count == count, "asking again in every frame starts nothing")
            #expect(handle.get(.init()).isLoading)
        }
        await stage.settle()
        #expect(stage.network.sent.allSatisfy { !JSONValue.object($0.variables).isDeeper(than: 3) })
    }

    /// A variable that is too deep is not sent as null, and shares no data with an operation that has null there.
    @Test func whatIsTooDeepIsNotTakenForNull() async throws {
        let stage = Stage()
        let environment = stage.environment
        let tooDeep = SearchQuery(variables: .init(json: Self.deep()))
        let refusal = RelayError.variableTooDeep(
            operationName: "Search", variable: "json", limit: JSONValue.maximumDepth)
        try environment.publish(.data(["total": 3]), for: SearchQuery(variables: .init()))
        #expect(environment.read(SearchQuery(variables: .init())).data?.total == 3)
        #expect(environment.read(tooDeep).data?.total == nil)
        #expect(environment.read(tooDeep).isMissingData)
        #expect((try? await environment.fetch(tooDeep, policy: .storeOnly)) == nil)
        await #expect(throws: refusal) { try await environment.fetch(tooDeep, policy: .storeOrNetwork) }
        await #expect(throws: refusal) { try await environment.prefetch(tooDeep) }
        #expect(throws: refusal) { try environment.publish(.data(["total": 4]), for: tooDeep) }
        let handle = QueryHandle<SearchQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(tooDeep.variables).isLoading)
        await stage.settle()
        #expect(handle.get(tooDeep.variables) == .failure(refusal))
        let reader = QueryHandle<SearchQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(reader.get(tooDeep.variables).data?.total == nil)
        #expect(reader.isMissingData)
        #expect(stage.network.sent.isEmpty)
    }

    @Test func whatIsJustDeepEnoughIsSent() async throws {
        let stage = Stage()
        // A list between two objects counts as a level.
        var filter = Filter()
        for _ in 1..<JSONValue.maximumDepth { filter = Filter(not: filter) }
        let handle = QueryHandle<SearchQuery>(in: stage.environment)
        _ = handle.get(.init(filter: filter))
        await stage.answer(#"{"data":{"total":3}}"#)
        #expect(handle.get(.init(filter: filter)).data?.total == 3)
        #expect(!filter.jsonValue.isDeeper(than: JSONValue.maximumDepth))
        #expect(Filter(not: filter).jsonValue(levels: JSONValue.maximumDepth) == nil)
        #expect(!Filter.nested(Self.inputDepth).jsonValue.isDeeper(than: JSONValue.maximumDepth))
    }

    private struct Point: GeneratedCode.Input {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __input: GeneratedCode.InputValue { .init(json: ["x": 1]) }
    }

    @Test func aTypeOfTheApplicationIsAValue() {
        #expect([Point(), nil].jsonValue == [["x": 1], nil])
        #expect([Point()].jsonValue(levels: 2) == [["x": 1]])
        #expect([Point()].jsonValue(levels: 1) == nil)
    }

    /// What is too deep to be sent is compared too.
    @Test(arguments: [1, 3, JSONValue.maximumDepth, JSONValue.maximumDepth * 2, inputDepth])
    func inputObjectsThatDifferInTheDepthAreNotEqual(_ depth: Int) {
        let (filter, same) = (Filter.nested(depth, Filter(title: "a")), Filter.nested(depth, Filter(title: "a")))
        #expect(filter == same && filter.hashValue == same.hashValue)
        for other in [Filter(title: "b"), Filter(title: .null), Filter(), Filter(any: [])] {
            #expect(filter != Filter.nested(depth, other))
        }
        #expect(filter != Filter.nested(depth + 1, Filter(title: "a")))
    }
}
