import Baton
import BatonTesting
import Testing

@Suite("Errors and nulls")
struct NullPropagationTests {
    /// `good` is 1, `null` is null, and `bad` throws. Objects can be nested without end. The names state the types.
    static let schema = """
        interface Thing { good: Int }
        type Node implements Thing {
          good: Int
          null: Int
          nullRequired: Int!
          bad: Int
          badRequired: Int!
          node: Node
          nodeRequired: Node!
          list: [Int]
          listOfRequired: [Int!]
          requiredListOfRequired: [Int!]!
          nodes: [Node]
          requiredNodes: [Node!]!
          matrix: [[Int!]]
          errors: [Int]
          notList: [Int]
          wrongInt: Int
          bigInt: Int
          wrongEnum: Color
          thing: Thing
          unknownThing: Thing
        }
        enum Color { RED }
        type Query { node: Node nodeRequired: Node! badRequired: Int! good: Int }
        """

    let service: LocalService

    init() throws {
        var resolvers = LocalResolvers()
        for type in ["Query", "Node"] {
            resolvers.field(type, "good") { _ in 1 }
            resolvers.field(type, "node") { _ in LocalObject("Node", 0) }
            resolvers.field(type, "nodeRequired") { _ in 0 }
            resolvers.field(type, "badRequired") { _ in throw LocalError("broken") }
        }
        resolvers.field("Node", "null") { _ in nil }
        resolvers.field("Node", "nullRequired") { _ in nil }
        resolvers.field("Node", "bad") { _ in throw LocalError("broken", extensions: [.init("code", "E1")]) }
        let numbers: [Int?] = [1, nil, 3]
        for field in ["list", "listOfRequired", "requiredListOfRequired"] {
            resolvers.field("Node", field) { _ in numbers }
        }
        resolvers.field("Node", "nodes") { _ in [0, 1] }
        resolvers.field("Node", "requiredNodes") { _ in [0, 1] }
        resolvers.field("Node", "matrix") { _ in [[1], [2, nil], nil] as [[Int?]?] }
        resolvers.field("Node", "errors") { _ in [1, LocalError("no second item")] as [any Sendable] }
        resolvers.field("Node", "notList") { _ in 1 }
        resolvers.field("Node", "wrongInt") { _ in "one" }
        resolvers.field("Node", "bigInt") { _ in 1 << 40 }
        resolvers.field("Node", "wrongEnum") { _ in "BLUE" }
        resolvers.field("Node", "thing") { _ in 0 }
        resolvers.field("Node", "unknownThing") { _ in LocalObject("Query", 0) }
        service = try LocalService(schema: Self.schema, resolvers: resolvers)
    }

    @Test(
        "a null goes up to the nearest nullable place, with one error and its path",
        arguments: [
            ("{ node { good null } }", #"{"node":{"good":1,"null":null}}"#, []),
            ("{ node { good bad } }", #"{"node":{"good":1,"bad":null}}"#, ["node.bad: broken"]),
            ("{ good node { badRequired } }", #"{"good":1,"node":null}"#, ["node.badRequired: broken"]),
            (
                "{ node { nullRequired } }", #"{"node":null}"#,
                ["node.nullRequired: Cannot return null for non-nullable field Node.nullRequired."]
            ),
            (
                "{ node { good nodeRequired { nodeRequired { badRequired } } } good }", #"{"node":null,"good":1}"#,
                ["node.nodeRequired.nodeRequired.badRequired: broken"]
            ),
            (
                "{ nodeRequired { nodeRequired { badRequired } } }", "null",
                ["nodeRequired.nodeRequired.badRequired: broken"]
            ),
            ("{ good badRequired }", "null", ["badRequired: broken"]),
            ("{ node { list } }", #"{"node":{"list":[1,null,3]}}"#, []),
            (
                "{ node { good listOfRequired } }", #"{"node":{"good":1,"listOfRequired":null}}"#,
                ["node.listOfRequired.1: Cannot return null for non-nullable field Node.listOfRequired."]
            ),
            (
                "{ good node { requiredListOfRequired } }", #"{"good":1,"node":null}"#,
                [
                    "node.requiredListOfRequired.1: Cannot return null for non-nullable field Node.requiredListOfRequired."
                ]
            ),
            (
                "{ node { nodes { badRequired } } }", #"{"node":{"nodes":[null,null]}}"#,
                ["node.nodes.0.badRequired: broken", "node.nodes.1.badRequired: broken"]
            ),
            (
                "{ node { node { requiredNodes { bad } good } } }",
                #"{"node":{"node":{"requiredNodes":[{"bad":null},{"bad":null}],"good":1}}}"#,
                ["node.node.requiredNodes.0.bad: broken", "node.node.requiredNodes.1.bad: broken"]
            ),
            (
                "{ node { good node { requiredNodes { badRequired } } } }", #"{"node":{"good":1,"node":null}}"#,
                ["node.node.requiredNodes.0.badRequired: broken"]
            ),
            (
                "{ node { matrix } }", #"{"node":{"matrix":[[1],null,null]}}"#,
                ["node.matrix.1.1: Cannot return null for non-nullable field Node.matrix."]
            ),
            ("{ node { errors } }", #"{"node":{"errors":[1,null]}}"#, ["node.errors.1: no second item"]),
            (
                "{ node { notList } }", #"{"node":{"notList":null}}"#,
                ["node.notList: Expected a list for field Node.notList, but got Int."]
            ),
            (
                "{ node { wrongInt } }", #"{"node":{"wrongInt":null}}"#,
                ["node.wrongInt: Int cannot represent non-integer value: \"one\""]
            ),
            (
                "{ node { bigInt } }", #"{"node":{"bigInt":null}}"#,
                ["node.bigInt: Int cannot represent non 32-bit signed integer value: 1099511627776"]
            ),
            (
                "{ node { wrongEnum } }", #"{"node":{"wrongEnum":null}}"#,
                ["node.wrongEnum: Enum \"Color\" cannot represent value: \"BLUE\""]
            ),
            (
                "{ node { thing { good } } }", #"{"node":{"thing":null}}"#,
                [
                    "node.thing: Abstract type \"Thing\" must resolve to an object type for field Node.thing, but nothing "
                        + "says what a Int is."
                ]
            ),
            (
                "{ node { unknownThing { good } } }", #"{"node":{"unknownThing":null}}"#,
                ["node.unknownThing: \"Query\" is not a possible type for \"Thing\"."]
            ),
        ] as [(String, String, [String])]
    )
    func aNullGoesUpToTheNearestNullablePlace(_ query: String, _ data: String, _ errors: [String]) {
        let answer = service.execute(query)
        #expect(answer["data"]?.description == data)
        #expect(Self.describe(answer["errors"]) == errors)
    }

    private static func describe(_ errors: JSONValue?) -> [String] {
        guard case .array(let errors) = errors else { return [] }
        return errors.map { error in
            guard case .array(let path) = error["path"], case .string(let message) = error["message"] else {
                return "?"
            }
            let components = path.map { component in
                if case .string(let key) = component { key } else { component.description }
            }
            return "\(components.joined(separator: ".")): \(message)"
        }
    }

    @Test("an error has message, every location, path and extensions")
    func anErrorHasMessageLocationsPathAndExtensions() {
        let answer = service.execute("{\n  node {\n    x: bad\n    ...F\n  }\n}\nfragment F on Node {\n  x: bad\n}")
        #expect(
            answer["errors"]
                == [
                    [
                        "message": "broken",
                        "locations": [["line": 3, "column": 5], ["line": 8, "column": 3]],
                        "path": ["node", "x"],
                        "extensions": ["code": "E1"],
                    ]
                ]
        )
    }
}
