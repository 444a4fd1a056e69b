import BatonCompiler
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

    /// The names that documents can have with any schema.
    private func predeclared() -> Set<String> {
        var compiler = Compiler()
        let file = compiler.addSource(path: "schema.graphql", text: "type Query { a: Int }")
        let schema = compiler.loadSchema([file]).schema
        let known = schema.directives.values.filter { !$0.locations.isDisjoint(with: Self.executable) }
        return Set(known.map(\.name))
    }

    @Test func everyPredeclaredDirectiveHasAFateAndNoOther() {
        #expect(Set(KnownDirectives.names) == predeclared())
    }

    /// `validate` judges and accepts; what makes something of the documents refuses, at the place.
    @Test(arguments: ["compile", "print operations"])
    func whatIsNotSupportedIsRefusedWhereSomethingIsMade(_ command: String) throws {
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
            made.errors.hasPrefix("Films.graphql:1:29: error: '@__debug' is not supported yet [unsupported-directive]")
        )
        #expect(made.output.isEmpty)
    }

    /// What is printed was not judged by its parts: also what nests too deep is reported, and not cut off.
    @Test func whatIsTooDeepIsNotPrinted() throws {
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
        for name in KnownDirectives.names {
            let fate = try #require(KnownDirectives.fate(of: name))
            let words =
                switch fate {
                case .carriedOut: "carried out"
                case .needsNothing: "needs nothing"
                case .refused: "refused"
                case .refusedArguments: "some arguments are refused"
                }
            let own = rows.filter { $0.contains("`@\(name)`") }
            #expect(own.count == 1 && own.first?.contains("| \(words)") == true, "@\(name)")
        }
    }
}
