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
            return "\(location.line):\(location.column) \(diagnostic.message)"
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

    @Test func whatDoesNotFitIsReportedAtItsPlace() {
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
                "1:61 'directives' must be a list, not an object",
                "3:14 'a b' is no name in GraphQL",
                "4:5 a 'type' is missing here",
                "5:27 a type around another must be 'LIST' or 'NON_NULL'",
                "6:83 the default '1} type X {' is no GraphQL value",
                "8:14 'name' must be a string, not a number",
                "10:12 the type 'Thing' is of an unknown kind 'THING'",
            ]
        )
    }

    @Test(arguments: [
        (#"{"errors": [{"message": "no"}]}"#, "1:1 there is no '__schema' in this answer, but 'errors'"),
        (#"{"data": null}"#, "1:1 there is no '__schema' in this answer"),
        (#"[1]"#, "1:1 there is no '__schema' in this answer"),
        (#"{"data": {"__schema": "#, "1:23 expected a value, found the end of the file"),
    ]) func whatIsNoIntrospectionIsSaid(_ text: String, _ expected: String) {
        #expect(Self.load(text).diagnostics.contains(expected), "\(Self.load(text).diagnostics)")
    }
}
