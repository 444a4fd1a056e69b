import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import FixtureSupport
import Foundation
import RandomCases
import Testing

struct FetchedSchemaTests {
    static let sdl = """
        \"""The schema\"""
        schema { query: Root }
        directive @seal(on: Kind = SMALL, level: Int) repeatable on QUERY | FIELD
        type Root implements Named { ships(sort: Sort = {by: NAME, also: {by: SIZE}}, first: Int = 1): [Ship!] name: String }
        "A ship" type Ship implements Named { name: String old: Int @deprecated(reason: "gone") crew: Crew }
        interface Named { name: String }
        union Crew = Root | Ship
        enum Kind { SMALL BIG @deprecated MEDIUM }
        input Sort { by: Field! also: Sort }
        enum Field { NAME SIZE }
        scalar Date @specifiedBy(url: "https://example.com/date")
        """

    static func answer(_ sdl: String = sdl) throws -> String {
        var compiler = Compiler()
        return try IntrospectionAnswer(
            schema: compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: sdl)]).schema
        ).json()
    }

    /// The JSON with every list and every object in another order.
    static func shuffled(_ json: String, _ random: inout some RandomNumberGenerator) throws -> [UInt8] {
        func text(_ value: Any, _ random: inout some RandomNumberGenerator) throws -> String {
            if let list = value as? [Any] {
                return try "[" + list.shuffled(using: &random).map { try text($0, &random) }.joined(separator: ", ")
                    + "]"
            }
            if let object = value as? [String: Any] {
                let members = object.keys.sorted().shuffled(using: &random)
                return try "{"
                    + members.map { try "\"\($0)\": " + text(object[$0] ?? NSNull(), &random) }.joined(separator: ", ")
                    + "}"
            }
            let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            return String(decoding: data, as: UTF8.self)
        }
        return Array(try text(JSONSerialization.jsonObject(with: Data(json.utf8)), &random).utf8)
    }

    @Test func theSameSchemaGivesTheSameBytesInAnyOrder() throws {
        var random = SeededGenerator(seed: 7)
        let first = try FetchedSchema(Array(try Self.answer().utf8))
        for _ in 0..<20 {
            let other = try FetchedSchema(try Self.shuffled(Self.answer(), &random))
            #expect(other.text(as: .sdl) == first.text(as: .sdl))
            #expect(other.text(as: .json) == first.text(as: .json))
        }
        let reordered = try Self.answer(
            Self.sdl.replacing("{by: NAME, also: {by: SIZE}}", with: "{also: {by: SIZE}, by: NAME}"))
        #expect(try FetchedSchema(Array(reordered.utf8)).text(as: .json) == first.text(as: .json))
    }

    @Test func descriptionsAndDeprecationsAreWrittenInOrderOfNames() throws {
        #expect(
            try FetchedSchema(Array(try Self.answer().utf8)).text(as: .sdl) == """
                \"""
                The schema
                \"""
                schema {
                  query: Root
                }

                directive @seal(level: Int, on: Kind = SMALL) repeatable on FIELD | QUERY

                union Crew = Root | Ship

                scalar Date @specifiedBy(url: "https://example.com/date")

                enum Field {
                  NAME
                  SIZE
                }

                enum Kind {
                  BIG @deprecated(reason: "No longer supported")
                  MEDIUM
                  SMALL
                }

                interface Named {
                  name: String
                }

                type Root implements Named {
                  name: String
                  ships(first: Int = 1, sort: Sort = {also: {by: SIZE}, by: NAME}): [Ship!]
                }

                \"""
                A ship
                \"""
                type Ship implements Named {
                  crew: Crew
                  name: String
                  old: Int @deprecated(reason: "gone")
                }

                input Sort {
                  also: Sort
                  by: Field!
                }

                """)
    }

    /// Both forms are read as the same schema.
    @Test(arguments: IntrospectionRoundTripTests.schemas.filter { $0.path.contains("/Fixtures/") })
    func bothFormsAreTheSchema(_ url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n#%% ")[0]
        let fetched = try FetchedSchema(Array(try Self.answer(text).utf8))
        let sdl = Self.printed(fetched.text(as: .sdl), "schema.graphql")
        #expect(sdl.hasErrors == false)
        #expect(sdl.text == Self.printed(fetched.text(as: .json), "schema.json").text)
        #expect(try FetchedSchema(Array(fetched.text(as: .json).utf8)).text(as: .json) == fetched.text(as: .json))
    }

    private static func printed(_ text: String, _ path: String) -> (text: String, hasErrors: Bool) {
        var compiler = Compiler()
        let result = compiler.loadSchema([compiler.addSource(path: path, text: text)])
        return (Printer.print(result.schema.serverDocument), result.diagnostics.hasErrors)
    }

    @Test(arguments: [
        (#"{"data": {"__schema": {"queryType": {"name": "Q"}, "types": [{"kind": "OBJECT", "na"#, "breaks off"),
        (#"{"data": {"__schema": {"queryType": {"name": "Q"}, "types": []}}}"#, "'Q'"),
        (#"{"data": {"__schema": {"queryType": null, "types": []}}}"#, "query type"),
        (#"{"data": {"__schema": {"queryType": {"name": "Q"}}}, "errors": [{"message": "slow\nx"}]}"#, "'slow'"),
    ])
    func aPartOfASchemaIsRefused(_ body: String, _ reason: String) {
        let problem = #expect(throws: FetchedSchema.Problem.self) { try FetchedSchema(Array(body.utf8)) }
        guard case .partial(let found)? = problem else { return #expect(Bool(false), "\(String(describing: problem))") }
        #expect(found.contains(reason))
    }

    @Test(arguments: [
        (#"{"errors": [{"message": "GraphQL introspection is not allowed"}]}"#, true),
        (#"{"errors": [{"message": "no", "extensions": {"code": "INTROSPECTION_DISABLED"}}], "data": null}"#, true),
        (#"{"errors": [{"message": "Cannot query field '__schema' on type 'Query'."}]}"#, true),
        (#"{"errors": [{"message": "Cannot query field 'isOneOf' on type '__Type'."}]}"#, false),
        (#"{"errors": [{"message": "syntax error"}]}"#, false),
    ])
    func aRefusalSaysWhetherIntrospectionIsOff(_ body: String, _ isOff: Bool) {
        let problem = #expect(throws: FetchedSchema.Problem.self) { try FetchedSchema(Array(body.utf8)) }
        guard case .refused(_, let found)? = problem else {
            return #expect(Bool(false), "\(String(describing: problem))")
        }
        #expect(found == isOff)
    }

    @Test(arguments: [
        "", "[]", "{}", "null", "OK", #"{"data": null}"#, #"{"data": {"__schema": 3}}"#, #"{"data": {"__schema": []}}"#,
        #"{"data": {"__schema": {"types": 3}}}"#, #"{"data": {"__schema": {"types": [{"name": 3}, {}, null]}}}"#,
    ])
    func whatIsNoSchemaIsRefused(_ body: String) {
        #expect(throws: FetchedSchema.Problem.self) { try FetchedSchema(Array(body.utf8)) }
    }

    @Test func theQueryAsksForWhatTheServerHas() throws {
        let plain = IntrospectionQuery().text
        for name in ["specifiedByURL", "isOneOf", "isRepeatable", "args(", "inputFields("] {
            #expect(!plain.contains(name))
        }
        let answer = """
            {"data": {"Type": {"fields": [{"name": "isOneOf", "args": []}, {"name": "inputFields",
              "args": [{"name": "includeDeprecated"}]}]}, "Directive": null, "Schema": 3}}
            """
        let text = IntrospectionQuery(features: Array(answer.utf8)).text
        #expect(text.contains("isOneOf fields("))
        #expect(text.contains("inputFields(includeDeprecated: true) {"))
        #expect(!text.contains("isRepeatable"))
        for query in [IntrospectionQuery.features, plain, text] {
            var compiler = Compiler()
            let file = compiler.addSource(path: "query.graphql", text: query)
            #expect(Parser.parseDocument(file).diagnostics.isEmpty)
        }
    }
}
