import BatonCommand
import BatonDiagnostics
import Foundation
import Testing

/// The selection of diagnostics that are shown.
struct WarningFoldTests {
    private static func project() throws -> TemporaryFolder {
        try TemporaryFolder([
            "baton.json": "{}",
            "schema.graphql":
                "type Query { film: Film } type Film { a: Int a: Int b: Int b: Int c: Date } scalar Date\n",
            "A.graphql": (1...5).map { "fragment F\($0) on Film { a }\n" }.joined(),
            "B.graphql": "query B { film { titel } }",
        ])
    }

    private static func heads(_ outcome: CommandLineTool.Outcome) -> [String] {
        outcome.errors.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    }

    private static let rest = [
        "A.graphql: and 2 more of [unused-fragment] in this file; --all shows them",
        "the schema has 2 warnings: 2 of [repeated-field]; --all shows them", "1 error, 7 warnings",
    ]

    @Test(arguments: ["compile", "validate", "print operations"])
    func errorsComeFirstAndWarningsFold(_ command: String) throws {
        let folder = try Self.project()
        let heads = Self.heads(CommandTests.run(command, in: folder))
        #expect(heads.first?.hasPrefix("B.graphql:1:18: error: ") == true, "\(heads)")
        #expect(heads.dropFirst().prefix(3).allSatisfy { $0.hasSuffix("is never used [unused-fragment]") })
        #expect(heads.dropFirst(4) == Self.rest[...])

        let all = Self.heads(CommandTests.run(command + " --all", in: folder))
        #expect(all.count { $0.contains(": warning: ") } == 7)
        #expect(all.first == heads.first && all.last == heads.last)
    }

    @Test func otherFormatsShowEveryDiagnosticAndErrorsFirst() throws {
        let folder = try Self.project()
        let json = CommandTests.run("validate --format json", in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [[String: Any]]]
        let severities = object?["diagnostics"]?.compactMap { $0["severity"] as? String }
        #expect(severities == ["error"] + Array(repeating: "warning", count: 7))
        let github = CommandTests.run("validate --format github", in: folder).output.split(separator: "\n")
        #expect(github.count == 8)
        #expect(github.first?.hasPrefix("::error ") == true)
        #expect(CommandTests.run("validate --format json --all", in: folder) == json)
    }

    /// Without documents, the schema itself is checked.
    @Test func theWarningsOfASchemaAloneAreShown() throws {
        let folder = try Self.project()
        let heads = Self.heads(CommandTests.run("validate --schema schema.graphql", in: folder))
        #expect(heads.count { $0.hasSuffix("[repeated-field]") } == 2)
        #expect(heads.last == "2 warnings")
    }

    // MARK: - Names and literals

    @Test func aProposedNameFollowsTheRule() throws {
        let folder = try CommandTests.project([
            "App/FilmList.swift": #"let a = [graphql("{ films { id } }"), graphql("query { films { title } }")]"#,
            "App/FilmRow.swift": CommandTests.filmRow,
            "other films.graphql": "mutation { rate }", "Taken.graphql": "query FilmListQuery { films { id } }",
        ])
        let outcome = CommandTests.run("validate", in: folder)
        let helps = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("  help: ") }
        #expect(
            helps == [
                "  help: write 'query FilmList2Query'", "  help: write 'query FilmList3Query'",
                "  help: write 'mutation OtherFilmsMutation'",
            ], "\(outcome.errors)")
    }

    @Test func anArgumentThatIsNoLiteralKeepsArtifactsFromBeingMade() throws {
        let folder = try CommandTests.project(["App/Other.swift": "let other = graphql(\"query OtherQuery\" + rest)"])
        let outcome = CommandTests.run("compile", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(
            outcome.errors == """
                App/Other.swift:1:21: error: 'graphql' takes one string literal, which the compiler reads where it \
                stands [swift-argument]
                    1 | let other = graphql("query OtherQuery" + rest)
                      |                     ^~~~~~~~~~~~~~~~~~~~~~~~~
                  help: write the whole document here; what differs is a variable, what several share a fragment
                1 error

                """)
        try folder.write("let other = graphql(request)", to: "App/Other.swift")
        let unsure = CommandTests.run("compile", in: folder)
        #expect(unsure.status == .success)
        #expect(unsure.errors.hasPrefix("App/Other.swift:1:21: warning: "))
        #expect(CommandTests.run("compile --warning swift-argument=off", in: folder).errors == "")
    }
}
