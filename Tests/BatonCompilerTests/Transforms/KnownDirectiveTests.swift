import BatonCommand
import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms
import Foundation
import Testing

@Suite struct KnownDirectiveTests {
    private static let executable: Set<DirectiveLocation> = [
        .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
        .variableDefinition,
    ]

    /// The names of the predeclared directives: those for documents, and those for schemas alone.
    private func predeclared() -> (documents: Set<String>, schemas: Set<String>) {
        var compiler = Compiler()
        let file = compiler.addSource(path: "schema.graphql", text: "type Query { a: Int }")
        let directives = compiler.loadSchema([file]).schema.directives.values
        let inDocuments = directives.filter { !$0.locations.isDisjoint(with: Self.executable) }.map(\.name)
        return (Set(inDocuments), Set(directives.map(\.name)).subtracting(inDocuments))
    }

    @Test func everyPredeclaredDirectiveHasAFateAndNoOther() {
        #expect(Set(KnownDirectives.names) == predeclared().documents)
        #expect(Set(KnownDirectives.namesInSchemas) == predeclared().schemas)
    }

    /// The arguments of a refused directive are not checked, so that its refusal is the message.
    @Test func argumentsOfARefusedDirectiveAreNotChecked() {
        func isRefused(_ fate: DirectiveFate?) -> Bool {
            switch fate {
            case .refused, .refusedForGood: true
            default: false
            }
        }
        let refused =
            KnownDirectives.names.filter { isRefused(KnownDirectives.fate(of: $0)) }
            + KnownDirectives.namesInSchemas.filter { isRefused(KnownDirectives.fateInSchemas(of: $0)) }
        #expect(Set(refused) == Predeclared.refused)
    }

    /// `validate` accepts the documents. Commands that make something of the documents refuse them, with the place.
    @Test(arguments: ["compile", "print operations"])
    func unsupportedDirectivesAreRefusedByCompileAndPrint(_ command: String) throws {
        let folder = try TemporaryFolder([
            "baton.json": "{}",
            "schema.graphql": "type Query { films: [Film!]! } type Film { title: String }",
            "Films.graphql": "query Films { films { title @__debug       } }",
        ])
        let judged = CommandTests.run("validate", in: folder)
        #expect(judged.status == .success)
        let made = CommandTests.run(command, in: folder)
        #expect(made.status == .inputErrors)
        #expect(
            made.errors.hasPrefix(
                "Films.graphql:1:29: error: '@__debug' is refused: it makes Relay's compiler print what it does [refused-d"
            )
        )
        #expect(made.output.isEmpty)
    }

    /// `print` does not validate parts of documents, but reports nesting that is too deep, and cuts nothing off.
    @Test func documentsThatNestTooDeepAreNotPrinted() throws {
        var text = "query Q { thing { ...F0 } }\n"
        for index in 0..<300 { text += "fragment F\(index) on Thing { a { ...F\(index + 1) } }\n" }
        text += "fragment F300 on Thing { name }\n"
        let folder = try TemporaryFolder([
            "baton.json": "{}", "Q.graphql": text,
            "schema.graphql": "type Query { thing: Thing } type Thing { a: Thing name: String }",
        ])
        let printed = CommandTests.run("print operations", in: folder)
        #expect(printed.status == .inputErrors)
        #expect(printed.errors.contains("[selection-depth]"))
    }

    @Test func theGuideGivesTheFateOfEachDirective() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appendingPathComponent("Sources/Baton/Baton.docc/CompilingDocuments.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.split(separator: "\n### Directives\n").last?.split(separator: "\n##").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        let names = KnownDirectives.names + KnownDirectives.namesInSchemas
        for name in names {
            let fate = try #require(KnownDirectives.fate(of: name) ?? KnownDirectives.fateInSchemas(of: name))
            let words =
                switch fate {
                case .carriedOut: "carried out"
                case .needsNothing: "needs nothing"
                case .refused: "refused"
                case .ignored: "ignored, with a warning"
                case .refusedForGood: "refused for good"
                case .refusedArguments: "some arguments are refused"
                }
            let own = rows.filter { $0.split(separator: "|").first?.contains("`@\(name)`") == true }
            #expect(own.count == 1 && own.first?.contains("| \(words) |") == true, "@\(name)")
        }
        // No row is about an unknown directive.
        for row in rows {
            let cell = row.split(separator: "|").first ?? ""
            for match in cell.matches(of: /`@(\w+)`/) { #expect(names.contains(String(match.1)), "@\(match.1)") }
        }
    }

    /// Every accepted directive is in a document whose Swift code is compiled and run by the tests of generated code.
    @Test func eachDirectiveThatIsAcceptedIsRun() throws {
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appendingPathComponent("GeneratedCodeTests")
        var text = ""
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        where file.pathExtension == "graphql" { text += try String(contentsOf: file, encoding: .utf8) }
        func isAccepted(_ fate: DirectiveFate?) -> Bool {
            switch fate {
            case .carriedOut, .needsNothing, .refusedArguments: true
            default: false
            }
        }
        let accepted =
            KnownDirectives.names.filter { isAccepted(KnownDirectives.fate(of: $0)) }
            + KnownDirectives.namesInSchemas.filter { isAccepted(KnownDirectives.fateInSchemas(of: $0)) }
        let missing = try accepted.filter { try text.firstMatch(of: Regex("@\($0)\\b")) == nil }
        #expect(missing == [])

        let page = tests.deletingLastPathComponent()
            .appendingPathComponent("Sources/Baton/Design/0009-relays-language.md")
        let table = try String(contentsOf: page, encoding: .utf8).split(separator: "\n## What runs\n").last ?? ""
        let suites = Set(table.matches(of: /`(\w+Tests)`/).map { String($0.1) }).subtracting(["GeneratedCodeTests"])
        #expect(suites.count > 10)
        for suite in suites {
            let file = folder.appendingPathComponent(suite + ".swift")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(suite)")
        }
    }

    /// Each directive that will never be supported has a reason in words of its own.
    @Test func eachRefusalHasAMessageOfItsOwn() {
        var compiler = Compiler()
        let schema = compiler.addSource(path: "schema.graphql", text: "type Query { a: Int }")
        let names = KnownDirectives.names.filter {
            if case .refusedForGood? = KnownDirectives.fate(of: $0) { true } else { false }
        }
        #expect(!names.isEmpty)
        let places: [String: (String) -> String] = [
            "match": { "query Q { a @\($0) }" },
            "module": { "query Q { ...F @\($0)(name: \"M\") } fragment F on Query { a }" },
            "fb_actor_change": { "query Q { a @\($0) }" },
            "fb_owner": { "query Q @\($0)(oncall: \"x\") { a }" },
            "live": { "query Q @\($0)(interval: 3) { a }" },
            "relay_client_component": { "query Q { ...F @\($0) } fragment F on Query { a }" },
        ]
        for name in names {
            let text = places[name, default: { "query Q @\($0) { a }" }](name)
            let document = compiler.addSource(path: "Q.graphql", text: text)
            let result = compiler.compile(schema: compiler.loadSchema([schema]).schema, documents: [document])
            #expect(result.diagnostics.map(\.id) == [.refusedDirective], "\(name)")
            #expect(result.diagnostics.first?.message.hasPrefix("'@\(name)' is refused: ") == true)
        }
    }
}
