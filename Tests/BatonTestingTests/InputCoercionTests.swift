import Baton
import BatonTesting
import Testing

/// A service whose fields return the received argument `value`, or the text `absent`.
struct Probe {
    static let schema = """
        scalar JSON
        enum Color { RED GREEN }
        input Point { x: Int! y: Int = 2 label: String next: Point }
        input Choice @oneOf { a: Int b: String }
        type Query {
          int(value: Int): JSON
          intRequired(value: Int!): JSON
          intDefault(value: Int = 5): JSON
          intRequiredDefault(value: Int! = 5): JSON
          float(value: Float): JSON
          string(value: String): JSON
          boolean(value: Boolean): JSON
          id(value: ID): JSON
          color(value: Color): JSON
          ints(value: [Int!]): JSON
          matrix(value: [[Int]]): JSON
          point(value: Point): JSON
          choice(value: Choice): JSON
          json(value: JSON): JSON
        }
        """

    let service: LocalService

    init() throws {
        var resolvers = LocalResolvers()
        for field in [
            "int", "intRequired", "intDefault", "intRequiredDefault", "float", "string", "boolean", "id", "color",
            "ints",
            "matrix", "point", "choice", "json",
        ] {
            resolvers.field("Query", field) { context in context.arguments["value"] ?? "absent" }
        }
        service = try LocalService(schema: Self.schema, resolvers: resolvers)
    }

    /// The received value, or else the message of the only error.
    func result(_ query: String, _ variables: JSONValue = .object([])) -> String {
        let answer = service.execute(query, variables: variables)
        if case .array(let errors) = answer["errors"] {
            return errors.map { error in
                if case .string(let message) = error["message"] { message } else { "no message" }
            }.joined(separator: " | ")
        }
        guard case .object(let members) = answer["data"], let value = members.first?.value else { return "no data" }
        return value.description
    }
}

@Suite("Input values")
struct InputCoercionTests {
    let probe: Probe

    init() throws { probe = try Probe() }

    @Test(
        "literals become values of the argument's type",
        arguments: [
            ("int", #""absent""#),
            ("int(value: 3)", "3"),
            ("int(value: null)", "null"),
            ("int(value: 2147483647)", "2147483647"),
            ("int(value: -2147483648)", "-2147483648"),
            ("intDefault", "5"),
            ("intDefault(value: null)", "null"),
            ("intRequiredDefault", "5"),
            ("float(value: 3)", "3.0"),
            ("float(value: 1e3)", "1000.0"),
            ("string(value: \"a\\u00e9\")", "\"a\u{e9}\""),
            ("string(value: \"\"\"\n  block\n    text\n\"\"\")", #""block\n  text""#),
            ("boolean(value: false)", "false"),
            ("id(value: 4)", #""4""#),
            ("id(value: \"4\")", #""4""#),
            ("id(value: 123456789012345678901234567890)", #""123456789012345678901234567890""#),
            ("color(value: RED)", #""RED""#),
            ("ints(value: 1)", "[1]"),
            ("ints(value: [])", "[]"),
            ("ints(value: [1, 2])", "[1,2]"),
            ("matrix(value: 1)", "[[1]]"),
            ("matrix(value: [1, null, [2, null]])", "[[1],null,[2,null]]"),
            ("point(value: { x: 1 })", #"{"x":1,"y":2}"#),
            ("point(value: { y: null, x: 1, next: { x: 2, y: 3 } })", #"{"x":1,"y":null,"next":{"x":2,"y":3}}"#),
            ("choice(value: { a: 1 })", #"{"a":1}"#),
            ("json(value: { a: [1, 2.5, \"x\", true, null, NAME] })", #"{"a":[1,2.5,"x",true,null,"NAME"]}"#),
        ] as [(String, String)]
    )
    func literalsBecomeValuesOfTheirType(_ selection: String, _ expected: String) {
        #expect(probe.result("{ \(selection) }") == expected)
    }

    @Test(
        "literals that do not fit are refused",
        arguments: [
            ("int(value: 2147483648)", "Int cannot represent non 32-bit signed integer value: 2147483648"),
            ("int(value: 1.0)", "Int cannot represent non-integer value: 1.0"),
            ("int(value: \"1\")", "Int cannot represent non-integer value: \"1\""),
            ("int(value: true)", "Int cannot represent non-integer value: true"),
            ("int(value: RED)", "Int cannot represent non-integer value: RED"),
            ("int(value: [1])", "Int cannot represent non-integer value: [...]"),
            ("intRequired(value: null)", "Expected value of type \"Int!\", found null."),
            ("intRequiredDefault(value: null)", "Expected value of type \"Int!\", found null."),
            ("float(value: \"1\")", "Float cannot represent non numeric value: \"1\""),
            ("string(value: 1)", "String cannot represent a non string value: 1"),
            ("boolean(value: 1)", "Boolean cannot represent a non boolean value: 1"),
            ("id(value: true)", "ID cannot represent value: true"),
            ("color(value: \"RED\")", "Enum \"Color\" cannot represent non-enum value: \"RED\"."),
            ("color(value: BLUE)", "Value \"BLUE\" does not exist in \"Color\" enum."),
            ("point(value: 1)", "Expected value of type \"Point\", found 1."),
            ("point(value: {})", "Field \"x\" of required type \"Int!\" was not provided."),
            ("point(value: { x: 1, z: 1 })", "Field \"z\" is not defined by type \"Point\"."),
            ("choice(value: {})", "Exactly one key must be specified for OneOf type \"Choice\"."),
            ("choice(value: { a: 1, b: \"x\" })", "Exactly one key must be specified for OneOf type \"Choice\"."),
            ("choice(value: { a: null })", "Field \"a\" must be non-null."),
        ] as [(String, String)]
    )
    func wrongLiteralsAreRefused(_ selection: String, _ message: String) {
        let answer = probe.service.execute("{ \(selection) }")
        #expect(answer["data"] == nil)
        let result = probe.result("{ \(selection) }")
        #expect(result.hasPrefix("Argument \"value\" has an invalid value"))
        #expect(result.hasSuffix(": \(message)"))
    }

    @Test(
        "variables become values of their type",
        arguments: [
            ("$v: Int", "int", ["v": 3], "3"),
            ("$v: Int", "int", ["v": 3.0], "3"),
            ("$v: Int", "int", ["v": nil], "null"),
            ("$v: Int", "int", [:], #""absent""#),
            ("$v: Int", "intDefault", [:], "5"),
            ("$v: Int", "intDefault", ["v": nil], "null"),
            ("$v: Int = 8", "intDefault", [:], "8"),
            ("$v: Int = 8", "intRequired", [:], "8"),
            ("$v: Int", "intRequiredDefault", [:], "5"),
            ("$v: Float", "float", ["v": 3], "3.0"),
            ("$v: ID", "id", ["v": 4], #""4""#),
            ("$v: Color", "color", ["v": "GREEN"], #""GREEN""#),
            ("$v: [Int!]", "ints", ["v": 1], "[1]"),
            ("$v: [Int!]", "ints", ["v": [1, 2]], "[1,2]"),
            ("$v: [[Int]]", "matrix", ["v": [1, nil, [2]]], "[[1],null,[2]]"),
            ("$v: Point", "point", ["v": ["x": 1]], #"{"x":1,"y":2}"#),
            ("$v: Point = { x: 9 }", "point", [:], #"{"x":9,"y":2}"#),
            ("$v: Choice", "choice", ["v": ["b": "x"]], #"{"b":"x"}"#),
            ("$v: JSON", "json", ["v": ["a": [1, 2.5, nil]]], #"{"a":[1,2.5,null]}"#),
        ] as [(String, String, JSONValue, String)]
    )
    func variablesBecomeValuesOfTheirType(
        _ definition: String, _ field: String, _ variables: JSONValue, _ expected: String
    ) {
        #expect(probe.result("query (\(definition)) { \(field)(value: $v) }", variables) == expected)
    }

    @Test(
        "variables that do not fit are errors of the request",
        arguments: [
            ("$v: Int!", "int", [:], "Variable \"$v\" of required type \"Int!\" was not provided."),
            ("$v: Int!", "int", ["v": nil], "Variable \"$v\" of non-null type \"Int!\" must not be null."),
            (
                "$v: Int", "int", ["v": 2_147_483_648],
                "Variable \"$v\" got invalid value 2147483648; Int cannot represent non 32-bit signed integer value: 2147483648"
            ),
            (
                "$v: Int", "int", ["v": 1.5],
                "Variable \"$v\" got invalid value 1.5; Int cannot represent non-integer value: 1.5"
            ),
            (
                "$v: Color", "color", ["v": "BLUE"],
                "Variable \"$v\" got invalid value \"BLUE\"; Value \"BLUE\" does not exist in \"Color\" enum."
            ),
            (
                "$v: [Int!]", "ints", ["v": [1, nil]],
                "Variable \"$v\" got invalid value [...] at \"v[1]\"; Expected non-nullable type \"Int!\" not to be null."
            ),
            (
                "$v: Point", "point", ["v": ["x": 1, "next": ["x": "2"]]],
                "Variable \"$v\" got invalid value { ... } at \"v.next.x\"; Int cannot represent non-integer value: \"2\""
            ),
            (
                "$v: Point", "point", ["v": ["y": 1]],
                "Variable \"$v\" got invalid value { ... }; Field \"x\" of required type \"Int!\" was not provided."
            ),
            (
                "$v: Choice", "choice", ["v": ["a": nil]],
                "Variable \"$v\" got invalid value { ... }; Field \"a\" must be non-null."
            ),
            (
                "$v: Film", "int", [:],
                "Unknown type \"Film\"."
            ),
            (
                "$v: Query", "int", [:],
                "Variable \"$v\" cannot be non-input type \"Query\"."
            ),
            (
                "$v: String", "int", ["v": "1"],
                "Variable \"$v\" of type \"String\" used in position expecting type \"Int\"."
            ),
            (
                "$v: Int", "intRequired", ["v": 1],
                "Variable \"$v\" of type \"Int\" used in position expecting type \"Int!\"."
            ),
            (
                "$v: Int = \"x\"", "int", [:],
                "Variable \"$v\" has an invalid default value: Int cannot represent non-integer value: \"x\""
            ),
        ] as [(String, String, JSONValue, String)]
    )
    func wrongVariablesAreErrorsOfTheRequest(
        _ definition: String, _ field: String, _ variables: JSONValue, _ message: String
    ) {
        let query = "query (\(definition)) { \(field)(value: $v) }"
        #expect(probe.service.execute(query, variables: variables)["data"] == nil)
        #expect(probe.result(query, variables) == message)
    }

    @Test("every variable that does not fit is reported, at its definition")
    func everyWrongVariableIsReported() {
        let answer = probe.service.execute(
            "query ($a: Int!, $b: Color) {\n  int(value: $a)\n  color(value: $b)\n}",
            variables: ["b": "BLUE"]
        )
        #expect(
            answer == [
                "errors": [
                    [
                        "message": "Variable \"$a\" of required type \"Int!\" was not provided.",
                        "locations": [["line": 1, "column": 8]],
                    ],
                    [
                        "message":
                            "Variable \"$b\" got invalid value \"BLUE\"; Value \"BLUE\" does not exist in \"Color\" enum.",
                        "locations": [["line": 1, "column": 18]],
                    ],
                ]
            ]
        )
    }

    @Test(
        "a variable inside a literal counts as left out where it has no value",
        arguments: [
            ("point(value: { x: 1, label: $s, y: $i })", [:], #"{"x":1,"y":2}"#),
            ("point(value: { x: 1, label: $s, y: $i })", ["s": "a", "i": nil], #"{"x":1,"y":null,"label":"a"}"#),
            ("matrix(value: [[$i, 1]])", [:], "[[null,1]]"),
            ("json(value: { deep: [$s] })", ["s": "a"], #"{"deep":["a"]}"#),
        ] as [(String, JSONValue, String)]
    )
    func aNestedVariableWithoutAValueIsLeftOut(_ selection: String, _ variables: JSONValue, _ expected: String) {
        #expect(probe.result("query ($s: String, $i: Int) { \(selection) }", variables) == expected)
    }

    @Test("a null in a non-null place that only execution can see is an error of the field")
    func aNullThatOnlyExecutionSeesIsAnErrorOfTheField() {
        let answer = probe.service.execute(
            "query ($i: Int = 1) { int(value: 1)\n ints(value: [$i]) point(value: { x: $i }) }",
            variables: ["i": nil]
        )
        #expect(answer["data"] == ["int": 1, "ints": nil, "point": nil])
        guard case .array(let errors) = answer["errors"] else {
            Issue.record("no errors in \(answer)")
            return
        }
        #expect(errors.count == 2)
        #expect(errors.first?["path"] == ["ints"])
        #expect(errors.first?["locations"] == [["line": 2, "column": 14]])
    }

    @Test("a variable that is nested too deeply is refused")
    func aDeeplyNestedVariableIsRefused() {
        var value: JSONValue = ["x": 1]
        for _ in 0..<200 { value = ["x": 1, "next": value] }
        let result = probe.result("query ($v: Point) { point(value: $v) }", ["v": value])
        #expect(result.hasSuffix("The value is nested too deeply."))
    }
}
