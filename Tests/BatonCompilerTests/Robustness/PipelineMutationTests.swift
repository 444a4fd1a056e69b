import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSyntax
import FixtureSupport
import Foundation
import RandomCases
import Testing

/// Damaged projects, answers to introspection, configurations and Swift sources must give diagnostics, never a crash.
/// Documents that are still valid must compile. `Campaign` explains how to run longer campaigns.
@Suite struct PipelineMutationTests {
    private static let damagePerFixture = 4

    private static let everyText: [[UInt8]] = {
        let inputs = FixtureFolder.compiler.fixtures.flatMap { (try? $0.inputs()) ?? [] }
        return inputs.flatMap(\.texts).map(\.bytes)
    }()

    @Test(arguments: FixtureFolder.compiler.topics)
    func damagedProjectsCompileOrAreReported(_ topic: String) throws {
        var damage = Campaign.damage(topic, splicing: Self.everyText)
        for fixture in Fixture.all(in: topic) {
            for input in try fixture.inputs() where !input.texts.isEmpty {
                for _ in 0..<RandomCases.count(Self.damagePerFixture) {
                    let chosen = damage.random.below(input.texts.count)
                    var texts = input.texts
                    texts[chosen] = Fixture.Text(name: texts[chosen].name, bytes: damage.damage(texts[chosen].bytes))
                    try Self.check(texts, part: topic)
                }
            }
        }
    }

    @Test func damagedAnswersToIntrospectionAreReported() throws {
        var damage = Campaign.damage("introspection")
        let document = Fixture.Text(name: "document.graphql", bytes: Array("query Q { films { name } }".utf8))
        for _ in 0..<RandomCases.count(80) {
            let bytes = damage.damage(Array(Self.introspection.utf8))
            try Self.check([Fixture.Text(name: "schema.graphql", bytes: bytes), document], part: "introspection")
        }
    }

    @Test func damagedConfigurationsAreReported() throws {
        var damage = Campaign.damage("configuration", splicing: [Array(Self.introspection.utf8)])
        for _ in 0..<RandomCases.count(100) {
            var sources = SourceSet()
            let file = sources.add(path: "baton.json", bytes: damage.damage(Array(Self.configuration.utf8)))
            try Campaign.note("configuration", [Fixture.Text(name: "baton.json", bytes: file.bytes)])
            let result = Configuration.read(file, directory: AbsolutePath(absolute: "/project"))
            #expect(Campaign.defects(of: result.diagnostics, in: sources) == [])
        }
    }

    @Test func damagedSwiftSourcesAreReported() throws {
        var damage = Campaign.damage("swift", splicing: Self.everyText)
        let schema = Fixture.Text(name: "schema.graphql", bytes: Array(Self.schema.utf8))
        for _ in 0..<RandomCases.count(80) {
            let bytes = damage.damage(Array(Self.swift.utf8))
            try Self.check([schema, Fixture.Text(name: "Films.swift", bytes: bytes)], part: "swift")
        }
    }

    /// Compiles up to the first stage with errors, twice, and checks rules that every project meets.
    private static func check(_ texts: [Fixture.Text], part: String) throws {
        try Campaign.note(part, texts)
        var defects: [String] = []
        let isSlow = Campaign.isSlow {
            let first = compile(texts)
            defects = Campaign.defects(of: first.diagnostics, in: first.sources, areSorted: false)
            let second = compile(texts)
            if second.diagnostics != first.diagnostics || second.files != first.files {
                defects.append("not the same twice")
            }
        }
        if isSlow { defects.append("slow") }
        #expect(
            defects == [], "\(texts.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n#%%\n"))")
    }

    private static func compile(
        _ texts: [Fixture.Text]
    ) -> (files: [GeneratedFile], diagnostics: [Diagnostic], sources: SourceSet) {
        let compiled = CompiledFixture(texts)
        var diagnostics = compiled.diagnostics
        var files: [GeneratedFile] = []
        if !diagnostics.hasErrors {
            let result = compiled.compilation.generate(GenerationOptions())
            files = result.files
            diagnostics += result.diagnostics
        }
        return (files, compiled.compiler.sorted(diagnostics), compiled.compiler.sources)
    }

    // MARK: - Samples

    private static let introspection = #"""
        {"data": {"__schema": {"queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null, "types": [
          {"kind": "OBJECT", "name": "Query", "description": "The \"root\"\u00e9.", "interfaces": [], "fields": [
            {"name": "films", "args": [
                {"name": "first", "type": {"kind": "SCALAR", "name": "Int", "ofType": null}, "defaultValue": "10"},
                {"name": "filter", "type": {"kind": "INPUT_OBJECT", "name": "Filter"}, "defaultValue": "{kind: NEW}"}],
              "type": {"kind": "NON_NULL", "name": null, "ofType": {"kind": "LIST", "name": null, "ofType":
                {"kind": "OBJECT", "name": "Film"}}}, "isDeprecated": true, "deprecationReason": "old"}]},
          {"kind": "INTERFACE", "name": "Node", "interfaces": [], "possibleTypes": [{"name": "Film"}], "fields": [
            {"name": "id", "args": [], "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
          {"kind": "OBJECT", "name": "Film", "interfaces": [{"kind": "INTERFACE", "name": "Node"}], "fields": [
            {"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}},
            {"name": "name", "type": {"kind": "SCALAR", "name": "String"}}]},
          {"kind": "UNION", "name": "Any", "possibleTypes": [{"name": "Film"}]},
          {"kind": "ENUM", "name": "Kind", "enumValues": [{"name": "NEW"}, {"name": "OLD", "isDeprecated": true}]},
          {"kind": "INPUT_OBJECT", "name": "Filter", "isOneOf": true, "inputFields": [
            {"name": "kind", "type": {"kind": "ENUM", "name": "Kind"}}]},
          {"kind": "SCALAR", "name": "Date", "specifiedByURL": "https://example.com"}
        ], "directives": [{"name": "live", "locations": ["QUERY", "FIELD"], "isRepeatable": true, "args": [
          {"name": "if", "type": {"kind": "SCALAR", "name": "Boolean"}, "defaultValue": "true"}]}]}}}
        """#

    private static let configuration = #"""
        // A comment.
        {
          "schema": ["a.graphqls"], "schemaExtensions": ["b.graphql"], "documents": ["**/*.swift", "{a,b}[!c]?"],
          "exclude": ["Old"], "output": "Sources/App/__generated__", "module": "App", "access": "package",
          "scalars": {"Date": "FilmDate", "Money": {"type": "Decimal", "module": "Foundation"}},
          "warnings": {"unused-fragment": "off"}, "limits": {"nesting": 100, "tokens": 1000000}
        }
        """#

    private static let schema = "type Query { films(first: Int): [Film] } type Film { id: ID! name: String }"

    private static let swift = ##"""
        import Foundation
        /* a comment /* inside */ "another" */
        let a = #graphql("query FilmsQuery($first: Int) { films(first: $first) { ...Films_film } }")
        struct Films {
          static let fragment = graphql("""
            fragment Films_film on Film {
              id \("x") name
            }
            """)
          let other = graphql(#"query FilmsOtherQuery { films { \#u{69}d } }"#) // "unclosed
        }
        """##
}
