import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import Foundation
import Testing

/// No text can exhaust the stack, not even in a debug build, where frames are largest.
///
/// Schemas and documents are read, validated and printed on any thread. The 512 KB of a secondary thread on other
/// platforms must therefore be enough. A whole compilation runs on the main thread with its 8 MB.
@Suite struct StackTests {
    private static let schema = """
        type Query { thing(input: Input, list: [[Int]], any: Any): Thing  things: [Thing] }
        interface Node { id: ID! thing: Thing }
        type Thing implements Node { id: ID! thing: Thing node: Node name(input: Input): String }
        input Input { input: Input inputs: [Input] name: String }
        scalar Any
        """

    /// Reads, validates and prints. Returns the reported ids, each once and sorted.
    private static func validate(schema: String = schema, _ document: String) async -> [String] {
        await onStack(ofKilobytes: 512) {
            var compiler = Compiler()
            let loaded = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: schema)])
            let parsed = compiler.parse([compiler.addSource(path: "document.graphql", text: document)])
            let documents = parsed.documents.map(\.document)
            let found = Validator.validate(documents, loaded.schema, workers: .one)
            let diagnostics = loaded.diagnostics + parsed.diagnostics + found
            let printed = Printer.print(loaded.schema.document) + documents.map { Printer.print($0) }.joined()
            return ids(diagnostics) + (printed.isEmpty ? ["nothing printed"] : [])
        }
    }

    /// Compiles, and returns the reported ids. An empty result means that there are files.
    private static func compile(_ document: String, limits: ParserLimits = ParserLimits()) async -> [String] {
        await onStack(ofKilobytes: 8 * 1024) {
            var compiler = Compiler(limits: limits)
            let loaded = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: schema)])
            let file = compiler.addSource(path: "document.graphql", text: document)
            let result = compiler.compile(schema: loaded.schema, documents: [file])
            return ids(result.diagnostics) + (result.files.isEmpty ? ["no files"] : [])
        }
    }

    private static func ids(_ diagnostics: [Diagnostic]) -> [String] {
        Set(diagnostics.map(\.id.rawValue)).sorted()
    }

    private static func onStack<Result: Sendable>(
        ofKilobytes kilobytes: Int,
        _ run: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: run()) }
            thread.stackSize = kilobytes * 1024
            thread.start()
        }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    // MARK: - Documents as deep as the parser reads

    /// Documents of a given depth, by the kind of nesting.
    private static let nested: [@Sendable (Int) -> String] = [
        { "query Q { " + repeated("thing { ", $0) + "id" + repeated(" }", $0 + 1) },
        { "query Q { thing { " + repeated("... on Node { thing { ", $0 / 2) + "id" + repeated(" } }", $0 / 2 + 1) },
        {
            "query Q { thing { " + repeated("... on Node { ... on Thing { ", $0 / 2) + "id"
                + repeated(" } }", $0 / 2 + 1)
        },
        { "query Q { thing(input: \(input($0))) { id } }" },
        { "query Q { thing(any: " + repeated("[", $0) + repeated("]", $0) + ") { id } }" },
        { "query Q { thing(any: " + repeated("{a: [", $0 / 2) + repeated("]}", $0 / 2) + ") { id } }" },
        { "query Q($a: Input = \(input($0))) { thing(input: $a) { id } }" },
        { "query Q { a: thing(input: \(input($0))) { id } a: thing(input: \(input($0))) { id } }" },
    ]

    private static func input(_ depth: Int) -> String {
        repeated("{ input: ", depth) + "null" + repeated(" }", depth)
    }

    @Test(arguments: nested.indices)
    func documentsAsDeepAsAllowedAreValid(_ kind: Int) async {
        #expect(await Self.validate(Self.nested[kind](ParserLimits().nesting - 6)) == [])
    }

    @Test(arguments: nested.indices)
    func documentsAsDeepAsTheLargestLimitCompile(_ kind: Int) async {
        let most = ParserLimits.nestingChoices.upperBound
        let ids = await Self.compile(Self.nested[kind](most - 6), limits: ParserLimits(nesting: most))
        // Selections have a limit of their own, after the parser's limit.
        #expect(ids == [] || kind < 3 && ids == ["selection-depth", "no files"])
    }

    @Test func defaultsAsDeepAsAllowedAreValid() async {
        let schema = """
            directive @any(of: Any = {a: \(Self.input(180))}) on OBJECT
            scalar Any
            input Input { input: Input name: String }
            type Query @any(of: [\(Self.input(180))]) { a(input: Input = \(Self.input(180))): Int }
            """
        #expect(await Self.validate(schema: schema, "query Q { a }") == [])
    }

    @Test func typesAsDeepAsAllowedAreReported() async {
        let type = Self.repeated("[", 190) + "Int" + Self.repeated("]", 190)
        #expect(await Self.validate("query Q($a: \(type)) { thing { id } }") != [])
        let schema = "type Query { a: \(type) b(c: \(type)): Int }"
        #expect(await Self.validate(schema: schema, "query Q { a }").contains("type-nesting"))
    }

    @Test(arguments: [("", "{ thing "), ("", "{ ... on Query "), ("{ thing(any: ", "{a: ["), ("($a: ", "[")])
    func deeperDocumentsAreReported(_ head: String, _ unit: String) async {
        #expect(await Self.validate("query Q " + head + Self.repeated(unit, 100_000)).contains("nesting-limit"))
    }

    // MARK: - Long chains

    @Test func aLongChainOfFragmentsIsValid() async {
        var document = "query Q { thing { ...F0 } }\n"
        for index in 0..<5_000 { document += "fragment F\(index) on Thing { thing { ...F\(index + 1) } }\n" }
        document += "fragment F5000 on Thing { id }"
        #expect(await Self.validate(document) == [])
        #expect(await Self.compile(document) == ["selection-depth", "no files"])
    }

    @Test func aLongCircleOfFragmentsIsReported() async {
        var document = "query Q { thing { ...F0 } }\n"
        for index in 0..<5_000 { document += "fragment F\(index) on Thing { thing { ...F\((index + 1) % 5_000) } }\n" }
        #expect(await Self.validate(document) == ["fragment-cycle"])
    }

    @Test func longChainsOfTypesAreRead() async {
        var schema = "type Query { a(b: I0): T0 c: N0 }\n"
        for index in 0..<2_000 {
            schema += "input I\(index) { a: I\(index + 1)! }\n"
            schema += "type T\(index) { a: T\(index + 1)! }\n"
            schema += "interface N\(index) { a: N\(index + 1) }\n"
        }
        schema += "input I2000 { a: Int } type T2000 { a: Int } interface N2000 { a: Int }"
        #expect(await Self.validate(schema: schema, "query Q($b: I0) { a(b: $b) { __typename } }") == [])
    }

    @Test func aLongCircleOfInputObjectsIsReported() async {
        var schema = "type Query { a(b: I0): Int }\n"
        for index in 0..<2_000 { schema += "input I\(index) { a: I\((index + 1) % 2_000)! }\n" }
        #expect(await Self.validate(schema: schema, "query Q { a }").contains("input-cycle"))
    }

    @Test func interfacesThatImplementAllBeforeThemAreRead() async {
        var schema = "type Query { a: N0 }\ninterface N0 { a: Int }\n"
        for index in 1..<60 {
            let names = (0..<index).map { "N\($0)" }.joined(separator: " & ")
            schema += "interface N\(index) implements \(names) { a: Int }\n"
        }
        #expect(await Self.validate(schema: schema, "query Q { a { a } }") == [])
    }

    // MARK: - JSON

    @Test(arguments: ["[", "{\"a\":", "{\"__schema\":{\"types\":[{\"kind\":\"LIST\",\"ofType\":"])
    func deepJSONIsReported(_ unit: String) async {
        let ids = await Self.validate(schema: Self.repeated(unit, 100_000), "query Q { a }")
        #expect(ids.contains("introspection"))
    }

    @Test func deepTypesInJSONAreReported() async {
        let type =
            Self.repeated(#"{"kind":"LIST","ofType":"#, 55) + #"{"kind":"SCALAR","name":"Int"}"#
            + Self.repeated("}", 55)
        let schema = #"{"__schema":{"types":[{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":"# + type
        let ids = await Self.validate(schema: schema + "}]}]}}", "query Q { a }")
        #expect(ids.contains("type-nesting"))
    }
}
