import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Testing

struct IntrospectionReaderTests {
    private static func load(_ text: String) -> (sdl: String, diagnostics: [String]) {
        var compiler = Compiler()
        let file = compiler.addSource(path: "schema.json", text: text)
        let result = compiler.loadSchema([file])
        let lines = result.diagnostics.map { diagnostic in
            let location = file.location(ofOffset: Int(diagnostic.span.start))
            return "\(location.line):\(location.column) \(diagnostic.severity.rawValue): \(diagnostic.message)"
        }
        return (Printer.print(result.schema.document), lines)
    }

    @Test func anAnswerIsTheSchemaInSDL() {
        let (sdl, diagnostics) = Self.load(
            #"""
            {"data": {"__schema": {
              "queryType": {"name": "Root"}, "mutationType": null,
              "types": [
                {"kind": "SCALAR", "name": "String"},
                {"kind": "OBJECT", "name": "__Type", "fields": []},
                {"kind": "SCALAR", "name": "Date", "specifiedByURL": "https://example.com/date"},
                {"kind": "OBJECT", "name": "Root", "description": "The root.", "interfaces": [], "fields": [
                  {"name": "films", "args": [
                      {"name": "first", "type": {"kind": "SCALAR", "name": "Int", "ofType": null}, "defaultValue": "10"},
                      {"name": "filter", "type": {"kind": "INPUT_OBJECT", "name": "Filter"}, "defaultValue": "{kind: NEW}"}
                    ],
                    "type": {"kind": "NON_NULL", "name": null, "ofType": {"kind": "LIST", "ofType":
                      {"kind": "NON_NULL", "ofType": {"kind": "OBJECT", "name": "Film"}}}}},
                  {"name": "any", "args": [], "type": {"kind": "UNION", "name": "Any"},
                    "isDeprecated": true, "deprecationReason": "use 'films'"}
                ]},
                {"kind": "INTERFACE", "name": "Node", "fields": [
                  {"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
                {"kind": "OBJECT", "name": "Film", "interfaces": [{"kind": "INTERFACE", "name": "Node"}], "fields": [
                  {"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
                {"kind": "UNION", "name": "Any", "possibleTypes": [{"name": "Film"}]},
                {"kind": "ENUM", "name": "Kind", "enumValues": [{"name": "NEW"}, {"name": "OLD", "isDeprecated": true}]},
                {"kind": "INPUT_OBJECT", "name": "Filter", "isOneOf": true, "inputFields": [
                  {"name": "kind", "type": {"kind": "ENUM", "name": "Kind"}}]}
              ],
              "directives": [
                {"name": "skip", "locations": ["FIELD"], "args": []},
                {"name": "live", "locations": ["QUERY", "FIELD"], "isRepeatable": true, "args": [
                  {"name": "if", "type": {"kind": "SCALAR", "name": "Boolean"}, "defaultValue": "true"}]}
              ]
            }}}
            """#
        )
        #expect(diagnostics == [])
        #expect(
            sdl == #"""
                schema {
                  query: Root
                }

                directive @live(if: Boolean = true) repeatable on QUERY | FIELD

                scalar Date @specifiedBy(url: "https://example.com/date")

                """
                The root.
                """
                type Root {
                  films(first: Int = 10, filter: Filter = {kind: NEW}): [Film!]!
                  any: Any @deprecated(reason: "use 'films'")
                }

                interface Node {
                  id: ID!
                }

                type Film implements Node {
                  id: ID!
                }

                union Any = Film

                enum Kind {
                  NEW
                  OLD @deprecated
                }

                input Filter @oneOf {
                  kind: Kind
                }

                """#
        )
    }

    @Test func partsOfTheWrongShapeAreReportedAtTheirPlace() {
        let (_, diagnostics) = Self.load(
            #"""
            {"__schema": {"queryType": {"name": "Query"}, "directives": {}, "types": [
              {"kind": "OBJECT", "name": "Query", "fields": [
                {"name": "a b", "type": {"kind": "SCALAR", "name": "Int"}},
                {"name": "b"},
                {"name": "c", "type": {"kind": "OBJECT", "ofType": {"name": "Int"}}},
                {"name": "d", "args": [{"name": "x", "type": {"name": "Int"}, "defaultValue": "1} type X {"}],
                  "type": {"name": "Int"}},
                {"name": 1, "type": {"name": "Int"}}
              ]},
              {"kind": "THING", "name": "Thing"}
            ]}}
            """#
        )
        #expect(
            diagnostics == [
                "1:61 error: 'directives' must be a list, not an object",
                "3:14 error: 'a b' is no name in GraphQL",
                "4:5 error: a 'type' is missing here",
                "5:27 error: a type around another must be 'LIST' or 'NON_NULL'",
                "6:83 warning: the default '1} type X {' is no GraphQL value",
                "8:14 error: 'name' must be a string, not a number",
                "10:12 error: the type 'Thing' is of an unknown kind 'THING'",
            ]
        )
    }

    /// In a document such a value would be a literal of another kind.
    @Test(arguments: ["true", "false", "null"]) func anEnumValueMustNotBeALiteralOfAnotherKind(_ name: String) {
        let text = """
            {"__schema": {"queryType": {"name": "Q"}, "types": [
            {"kind": "OBJECT", "name": "Q", "fields": [
            {"name": "a", "args": [], "type": {"kind": "ENUM", "name": "E"}}]},
            {"kind": "ENUM", "name": "E", "enumValues": [{"name": "A"}, {"name": "\(name)"}]}]}}
            """
        #expect(Self.load(text).diagnostics == ["4:70 error: an enum value cannot be '\(name)'"])
    }

    /// Each answer has one mistake, and gives one diagnostic.
    @Test(arguments: [
        (#"{"errors": [{"message": "no"}]}"#, "1:12 error: there is no '__schema' in this answer, but 'errors': no"),
        (#"{"errors": [], "data": null}"#, "1:12 error: there is no '__schema' in this answer, but 'errors'"),
        (#"{"data": null}"#, "1:10 error: there is no object '__schema' in this answer"),
        (#"{"data": {"__schema": []}}"#, "1:23 error: there is no object '__schema' in this answer"),
        (#"{"__schema": null}"#, "1:14 error: there is no object '__schema' in this answer"),
        (#"[1]"#, "1:1 error: there is no object '__schema' in this answer"),
        (#"{}"#, "1:1 error: there is no object '__schema' in this answer"),
        (#"{"data": {"__schema": "#, "1:23 error: expected a value, found the end of the file"),
        (#"{"__schema": null}//"#, "1:19 error: expected the end of the file, found '/'"),
        (#"{"__schema": {}}"#, "1:14 error: the schema has no query type"),
        (#"{"__schema": {"queryType": null, "types": []}}"#, "1:28 error: the schema has no query type"),
        (#"{"__schema": {"queryType": {"name": "Q"}}}"#, "1:37 error: unknown type 'Q'"),
    ]) func aTextWithoutASchemaIsReportedOnce(_ text: String, _ expected: String) {
        #expect(Self.load(text).diagnostics == [expected])
    }

    /// Each value replaces the fields of the query type, which begin at 3:1.
    @Test(arguments: [
        (#"{"name": "a", "type": {"kind": "SCALAR", "name": "Strin"}}"#, "3:50 error: unknown type 'Strin'"),
        (
            #"{"name": "a", "type": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "name": null, "ofType": null}}}"#,
            "3:54 error: this type is cut off: a type 'LIST' must have another in 'ofType'"
        ),
        (
            #"{"name": "a", "type": {"kind": "NON_NULL", "name": null}}"#,
            "3:23 error: this type is cut off: a type 'NON_NULL' must have another in 'ofType'"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "Int"}, "defaultValue": "[1"}], "type": {"name": "Int"}}"#,
            "3:79 warning: the default '[1' is no GraphQL value"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "Int"}, "defaultValue": ""}], "type": {"name": "Int"}}"#,
            "3:79 warning: the default '' is no GraphQL value"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "In"}, "defaultValue": "{\"a\": 1}"}], "type": {"name": "In"}}"#,
            "3:78 warning: the default '{\"a\": 1}' is no GraphQL value"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "Int"}, "defaultValue": "true"}], "type": {"name": "Int"}}"#,
            "3:80 error: expected a value of type 'Int', found 'true'"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "E"}, "defaultValue": "\"A\""}], "type": {"name": "E"}}"#,
            "3:78 warning: the value 'A' of enum 'E' is written as a string"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"name": "In"}, "defaultValue": "{s: \"\u00e9\ud83d\ude00\\n\", i: A}"}], "type": {"name": "Int"}}"#,
            "3:113 error: expected a value of type 'Int', found 'A'"
        ),
        (
            #"{"name": "a", "args": [{"name": "b", "type": {"kind": "NON_NULL", "ofType": {"name": "Int"}}, "isDeprecated": true}], "type": {"name": "Int"}}"#,
            "3:33 warning: required argument 'b' cannot be deprecated"
        ),
        (
            #"{"name": "__a", "type": {"name": "Int"}}"#,
            "3:10 error: the name of field '__a' begins with two underscores, which only introspection uses"
        ),
        (#"{"name": "a", "type": {"name": "In"}}"#, ""),
        (#"{"name": "a", "type": "Int"}"#, "3:23 error: a 'name' is missing here"),
        (#"null"#, "3:1 error: a 'name' is missing here"),
    ]) func mistakesAreAtTheirPlaceInTheAnswer(_ field: String, _ expected: String) {
        let isInput = field.contains(#""type": {"name": "In"}}"#)
        let input =
            #"{"kind": "INPUT_OBJECT", "name": "In", "inputFields": [{"name": "s", "type": {"name": "String"}}, {"name": "i", "type": {"name": "Int"}}]}"#
        let diagnostics = Self.load(
            """
            {"__schema": {"queryType": {"name": "Query"}, "types": [
            {"kind": "OBJECT", "name": "Query", "fields": [
            \(field)
            ]},
            \(input),
            {"kind": "ENUM", "name": "E", "enumValues": [{"name": "A"}]}
            ]}}
            """
        ).diagnostics
        #expect(
            diagnostics.filter { !isInput || !$0.contains("must be an output type") }
                == (expected.isEmpty ? [] : [expected]))
    }

    @Test func errorsBesideASchemaAreAWarning() {
        let (sdl, diagnostics) = Self.load(
            #"""
            {"errors": [{"message": "too deep\nreally"}], "data": {"__schema": {"queryType": {"name": "Query"}, "types": [
              {"kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "type": {"name": "Int"}}]}]}}}
            """#
        )
        #expect(diagnostics == ["1:12 warning: the answer has errors, so the schema may be incomplete: too deep"])
        #expect(sdl == "type Query {\n  a: Int\n}\n")
    }

    @Test func locationsOfOldServersAreRead() {
        let (sdl, diagnostics) = Self.load(
            #"""
            {"__schema": {"queryType": {"name": "Query"}, "types": [
              {"kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "type": {"name": "Int"}}]}],
              "directives": [
                {"name": "live", "args": [], "isDeprecated": true, "onOperation": true, "onFragment": false, "onField": true},
                {"name": "part", "args": [], "onOperation": false, "onFragment": true, "onField": false},
                {"name": "bad", "args": [], "locations": ["FEILD"]}, {"name": "none", "locations": []}]}}
            """#
        )
        #expect(
            diagnostics == [
                "6:47 warning: unknown directive location 'FEILD'",
                "6:88 warning: the directive '@none' has no locations",
            ]
        )
        #expect(sdl.contains("directive @live @deprecated on QUERY | MUTATION | SUBSCRIPTION | FIELD\n"))
        #expect(sdl.contains("directive @part on FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT\n"))
    }
}
