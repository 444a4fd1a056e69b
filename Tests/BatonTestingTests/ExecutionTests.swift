import Baton
import BatonTesting
import Testing

/// Characters in the manner of the specification's examples.
struct Galaxy {
    struct Human: Sendable {
        let id: String
        let name: String
        let friendIDs: [String]
        let homePlanet: String?
    }

    struct Droid: Sendable {
        let id: String
        let name: String
        let friendIDs: [String]
        let primaryFunction: String
    }

    struct Starship: Sendable {
        let id: String
        let name: String
        let length: Double
    }

    static let humans = [
        Human(id: "1000", name: "Luke Skywalker", friendIDs: ["1002", "2001"], homePlanet: "Tatooine"),
        Human(id: "1002", name: "Han Solo", friendIDs: ["1000", "2001"], homePlanet: nil),
    ]
    static let droids = [Droid(id: "2001", name: "R2-D2", friendIDs: ["1000", "1002"], primaryFunction: "Astromech")]
    static let starships = [Starship(id: "3000", name: "Millennium Falcon", length: 34.37)]

    static let schema = """
        interface Node { id: ID! }
        interface Character implements Node {
          id: ID!
          name: String!
          friends: [Character]
        }
        type Human implements Character & Node {
          id: ID!
          name: String!
          friends: [Character]
          homePlanet: String
        }
        type Droid implements Character & Node {
          id: ID!
          name: String!
          friends: [Character]
          primaryFunction: String
        }
        enum LengthUnit { METER FOOT }
        type Starship implements Node {
          id: ID!
          name: String!
          length(unit: LengthUnit = METER): Float
        }
        union SearchResult = Human | Droid | Starship
        type Query {
          hero: Character
          human(id: ID!): Human
          node(id: ID!): Node
          search(text: String!): [SearchResult!]!
        }
        """

    static var resolvers: LocalResolvers {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "hero") { _ in droids.first }
        resolvers.field("Query", "human") { context in humans.first { $0.id == context.arguments.string("id") } }
        resolvers.field("Query", "node") { context in character(context.arguments.string("id") ?? "") }
        resolvers.field("Query", "search") { context in
            let text = context.arguments.string("text") ?? ""
            return humans.filter { $0.name.contains(text) } as [any Sendable]
                + droids.filter { $0.name.contains(text) } + starships.filter { $0.name.contains(text) }
        }
        resolvers.object("Human", Human.self) { type in
            type.field("friends") { $0.friendIDs.map(character) }
        }
        resolvers.object("Droid", Droid.self) { type in
            type.field("friends") { $0.friendIDs.map(character) }
        }
        resolvers.object("Starship", Starship.self) { type in
            type.field("length") { ship, context in
                context.arguments.string("unit") == "FOOT" ? ship.length * 3.28084 : ship.length
            }
        }
        return resolvers
    }

    @Sendable static func character(_ id: String) -> (any Sendable)? {
        if let human = humans.first(where: { $0.id == id }) { return human }
        if let droid = droids.first(where: { $0.id == id }) { return droid }
        return starships.first { $0.id == id }
    }

    static func service() throws -> LocalService {
        try LocalService(schema: schema, resolvers: resolvers)
    }
}

@Suite("Execution")
struct ExecutionTests {
    let service: LocalService

    init() throws { service = try Galaxy.service() }

    struct Case: Sendable, CustomTestStringConvertible {
        let fact: String
        let query: String
        var variables: JSONValue = .object([])
        let answer: String
        var testDescription: String { fact }
    }

    static let cases: [Case] = [
        Case(
            fact: "fields stand in the order of the document, aliases under their own name",
            query: "{ hero { b: name id a: name __typename } }",
            answer: #"{"data":{"hero":{"b":"R2-D2","id":"2001","a":"R2-D2","__typename":"Droid"}}}"#
        ),
        Case(
            fact: "arguments reach the resolver, null is a response",
            query:
                "{ a: human(id: 1000) { name homePlanet } b: human(id: \"1002\") { homePlanet } c: human(id: 5) { name } }",
            answer:
                #"{"data":{"a":{"name":"Luke Skywalker","homePlanet":"Tatooine"},"b":{"homePlanet":null},"c":null}}"#
        ),
        Case(
            fact: "a list of an interface holds objects of several types",
            query: "{ hero { friends { __typename name friends { id } } } }",
            answer: #"{"data":{"hero":{"friends":[{"__typename":"Human","name":"Luke Skywalker","friends":"#
                + #"[{"id":"1002"},{"id":"2001"}]},{"__typename":"Human","name":"Han Solo","friends":[{"id":"1000"},{"id":"2001"}]}]}}}"#
        ),
        Case(
            fact: "fragments apply by type condition: object, interface, union",
            query: """
                { search(text: "o") { ...C ... on Starship { length length_ft: length(unit: FOOT) } ... on SearchResult { __typename } } }
                fragment C on Character { name ... on Human { homePlanet } ...D }
                fragment D on Droid { primaryFunction }
                """,
            answer: #"{"data":{"search":[{"name":"Han Solo","homePlanet":null,"__typename":"Human"},"#
                + #"{"length":34.37,"length_ft":112.76247079999999,"__typename":"Starship"}]}}"#
        ),
        Case(
            fact: "the same response key is answered once with all its subselections",
            query:
                "{ hero { friends { id } } hero { friends { name } ...F } } fragment F on Droid { friends { id } name }",
            answer: #"{"data":{"hero":{"friends":[{"id":"1000","name":"Luke Skywalker"},"#
                + #"{"id":"1002","name":"Han Solo"}],"name":"R2-D2"}}}"#
        ),
        Case(
            fact: "skip and include decide on fields and fragments, literally or by variable",
            query: """
                query ($yes: Boolean!, $no: Boolean = false) {
                  a: hero @include(if: $no) { id }
                  b: hero @skip(if: $yes) { id }
                  c: hero @include(if: $yes) @skip(if: $no) { id }
                  d: hero @include(if: $yes) @skip(if: $yes) { id }
                  e: hero @include(if: false) { id }
                  ... @include(if: $yes) { f: hero { id } }
                  ...G @skip(if: true)
                }
                fragment G on Query { g: hero { id } }
                """,
            variables: ["yes": true],
            answer: #"{"data":{"c":{"id":"2001"},"f":{"id":"2001"}}}"#
        ),
        Case(
            fact: "a spread that is skipped the first time is followed the second time",
            query: "{ hero { ...N @skip(if: true) ...N } } fragment N on Character { name }",
            answer: #"{"data":{"hero":{"name":"R2-D2"}}}"#
        ),
        Case(
            fact: "a selection set may end up empty",
            query: "{ hero { ... on Human { name } } }",
            answer: #"{"data":{"hero":{}}}"#
        ),
        Case(
            fact: "the interface of an interface is a type condition too",
            query: "{ node(id: 3000) { id ... on Character { name } ... on Starship { name } __isNode: __typename } }",
            answer: #"{"data":{"node":{"id":"3000","name":"Millennium Falcon","__isNode":"Starship"}}}"#
        ),
        Case(
            fact: "introspection describes the schema",
            query: """
                { __type(name: "Character") { kind name fields { name type { kind name ofType { name } } } possibleTypes { name } }
                  __schema { queryType { name } mutationType { name } } }
                """,
            answer: #"{"data":{"__type":{"kind":"INTERFACE","name":"Character","fields":["#
                + #"{"name":"id","type":{"kind":"NON_NULL","name":null,"ofType":{"name":"ID"}}},"#
                + #"{"name":"name","type":{"kind":"NON_NULL","name":null,"ofType":{"name":"String"}}},"#
                + #"{"name":"friends","type":{"kind":"LIST","name":null,"ofType":{"name":"Character"}}}],"#
                + #""possibleTypes":[{"name":"Human"},{"name":"Droid"}]},"#
                + #""__schema":{"queryType":{"name":"Query"},"mutationType":null}}}"#
        ),
    ]

    @Test("an operation gets the response that the specification demands", arguments: cases)
    func executionGivesTheAnswerOfTheSpecification(_ example: Case) {
        #expect(service.execute(example.query, variables: example.variables).description == example.answer)
    }

    @Test("the operation is chosen by name")
    func theOperationIsChosenByName() {
        let text = "query A { hero { id } } query B { hero { name } }"
        #expect(service.execute(text, operationName: "B") == ["data": ["hero": ["name": "R2-D2"]]])
        #expect(
            service.execute(text, operationName: "C") == ["errors": [["message": "Unknown operation named \"C\"."]]]
        )
        #expect(
            service.execute(text)
                == ["errors": [["message": "Must provide operation name if query contains multiple operations."]]]
        )
    }

    @Test(
        "a request that cannot be executed has errors and no data",
        arguments: [
            ("", "Syntax Error: expected a definition, found an empty document"),
            ("fragment F on Node { id }", "Must provide an operation."),
            ("{ qqqqqq }", "Cannot query field \"qqqqqq\" on type \"Query\"."),
            ("{ heros { id } }", "Cannot query field \"heros\" on type \"Query\". Did you mean 'hero'?"),
            ("{ hero { ...Nope } }", "Unknown fragment \"Nope\"."),
            ("{ hero { ... on Nope { id } } }", "Unknown type \"Nope\"."),
            (
                "{ hero { ... on LengthUnit { id } } }",
                "Fragment cannot condition on non composite type \"LengthUnit\"."
            ),
            (
                "{ hero { id { x } } }",
                "Field \"id\" must not have a selection since type \"ID!\" has no subfields."
            ),
            (
                "{ hero }",
                "Field \"hero\" of type \"Character\" must have a selection of subfields. Did you mean \"hero { ... }\"?"
            ),
            (
                "{ human { id } }",
                "Argument \"id\" of type \"ID!\" is required on field \"Query.human\", but it was not provided."
            ),
            ("{ hero(x: 1) { id } }", "Unknown argument \"x\" on field \"Query.hero\"."),
            ("{ human(id: 1, id: 2) { id } }", "There can be only one argument named \"id\"."),
            ("{ human(id: $x) { id } }", "Variable \"$x\" is not defined."),
            (
                "query Q { ...F } fragment F on Query { human(id: $x) { id } }",
                "Variable \"$x\" is not defined by operation \"Q\"."
            ),
            ("query ($x: ID!, $x: ID!) { human(id: $x) { id } }", "There can be only one variable named \"$x\"."),
            ("{ hero @nope { id } }", "Unknown directive \"@nope\"."),
            (
                "{ hero @include { id } }",
                "Argument \"if\" of type \"Boolean!\" is required on directive \"@include\", but it was not provided."
            ),
            ("query A { hero { id } } query A { hero { id } }", "There can be only one operation named \"A\"."),
            ("{ hero { id } } { hero { id } }", "This anonymous operation must be the only defined operation."),
            (
                "{ hero { ...F } } fragment F on Node { id } fragment F on Node { id }",
                "There can be only one fragment named \"F\"."
            ),
            ("{ hero { ...A } } fragment A on Node { ...A }", "Cannot spread fragment \"A\" within itself."),
            (
                "{ hero { ...A } } fragment A on Node { ...B } fragment B on Node { id ...A }",
                "Cannot spread fragment \"A\" within itself."
            ),
            ("mutation { a }", "The schema does not define the mutation root type."),
            ("type T { a: Int }", "The document contains a definition that is not executable."),
        ] as [(String, String)]
    )
    func aRequestThatCannotBeExecutedHasNoData(_ text: String, _ message: String) {
        let answer = service.execute(text)
        #expect(answer["data"] == nil)
        guard case .array(let errors) = answer["errors"] else {
            Issue.record("no errors in \(answer)")
            return
        }
        #expect(errors.map { $0["message"] }.contains(.string(message)), "\(answer)")
    }

    @Test("errors of a request have the place in the document")
    func errorsOfARequestHaveTheirPlaces() {
        #expect(
            service.execute("query {\n  hero {\n    \u{e9}\n").description.contains("Syntax Error: ")
        )
        #expect(
            service.execute("query Q {\n  hero { nope }\n  hero { ...X }\n}")
                == [
                    "errors": [
                        [
                            "message": "Cannot query field \"nope\" on type \"Character\". Did you mean 'name'?",
                            "locations": [["line": 2, "column": 10]],
                        ],
                        ["message": "Unknown fragment \"X\".", "locations": [["line": 3, "column": 13]]],
                    ]
                ]
        )
    }

    @Test("a condition without a value is an error of the request")
    func aConditionWithoutAValueIsAnError() {
        let answer = service.execute(
            "query ($c: Boolean = true) { hero @include(if: $c) { id } }",
            variables: ["c": nil]
        )
        #expect(answer["data"] == nil)
        #expect(
            answer["errors"]
                == [
                    [
                        "message": "Argument \"if\" of non-null type \"Boolean!\" must not be null.",
                        "locations": [["line": 1, "column": 48]],
                    ]
                ]
        )
    }
}
