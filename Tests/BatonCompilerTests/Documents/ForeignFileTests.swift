import BatonCommand
import Testing

/// Files of other kinds beside the documents: one sentence says what they are.
struct ForeignFileTests {
    private static func folder() throws -> TemporaryFolder {
        try TemporaryFolder([
            "s.graphql": "type Query { a: Int }", "web/Films.tsx": "const a = graphql`query A { a }`;",
            "web/Films.ts": "const a = 1", "web/Rows.tsx": "const b = 2", "app/A.gql": "query A { a }",
            "app/Film.KT": "val a = 1", "app/notes.txt": "query N { a }", "app/NOTICE": "none", "B.SWIFT": "let a = 1",
            "schema.ts": "const schema = 1", "s2.graphqls": "type Query { a: Int }",
        ])
    }

    private static let rule = "documents are read from GraphQL and Swift files"
    private static let help = "  help: put the GraphQL of such a file into a '.graphql' file beside it"

    @Test(
        arguments: [
            ("web/Films.tsx", "'web/Films.tsx' is a TypeScript file, and \(rule) [file-unreadable]"),
            ("app/Film.KT", "'app/Film.KT' is a Kotlin file, and \(rule) [file-unreadable]"),
            ("web/*.tsx", "'web/*.tsx' finds only TypeScript files, and \(rule) [pattern-unmatched]"),
            ("web", "'web' finds only TypeScript files, and \(rule) [pattern-unmatched]"),
            (
                "*/*.{KT,txt,ts}",
                "'*/*.{KT,txt,ts}' finds only '.txt', Kotlin, TypeScript files, and \(rule) [pattern-unmatched]"
            ),
            ("app/NO*", "'app/NO*' finds only nameless files, and \(rule) [pattern-unmatched]"),
            ("*.graphqls", "'*.graphqls' finds only '.graphqls' files, and \(rule) [pattern-unmatched]"),
        ])
    func aFileOfAnotherKindIsNamed(_ documents: String, _ expected: String) throws {
        let outcome = CommandTests.run("validate --schema s.graphql --documents \(documents)", in: try Self.folder())
        #expect(outcome.status != .success)
        #expect(outcome.errors == "error: \(expected)\n\(Self.help)\n1 error\n")
    }

    @Test func aPatternThatAlsoNamesOtherKindsIsReadWithAWarning() throws {
        let outcome = CommandTests.run(
            "validate --schema s.graphql --documents */*.{graphql,gql,tsx,vue}", in: try Self.folder())
        #expect(outcome.status == .success)
        #expect(
            outcome.errors == """
                warning: '*/*.{graphql,gql,tsx,vue}' names TypeScript files too, and \(Self.rule) [pattern-unmatched]
                \(Self.help)
                1 warning

                """)
        let quiet = CommandTests.run("validate --schema s.graphql --documents */*.{gql,vue}", in: try Self.folder())
        #expect(quiet == CommandLineTool.Outcome())
    }

    @Test(arguments: ["app/A.gql", "B.SWIFT", "app/*.{gql,graphql}"])
    func filesOfTheRightKindAreRead(_ documents: String) throws {
        let outcome = CommandTests.run("validate --schema s.graphql --documents \(documents)", in: try Self.folder())
        #expect(outcome.status == .success, "\(outcome.errors)")
        #expect(!outcome.errors.contains("error"), "\(outcome.errors)")
    }

    /// A file whose name says nothing may hold GraphQL.
    @Test func otherNamesAreReadAsGraphQL() throws {
        let outcome = CommandTests.run("validate --schema s.graphql --documents app/notes.txt", in: try Self.folder())
        #expect(outcome == CommandLineTool.Outcome())
    }

    @Test(arguments: [("schema.ts", "TypeScript"), ("B.SWIFT", "Swift")])
    func aSchemaOfAnotherKindIsNamed(_ schema: String, _ kind: String) throws {
        let outcome = CommandTests.run("validate --schema \(schema)", in: try Self.folder())
        #expect(outcome.status != .success)
        #expect(
            outcome.errors.hasPrefix(
                "error: '\(schema)' is a \(kind) file, and a schema is read as SDL or as JSON [file-unreadable]\n"),
            "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("\n1 error\n"))
    }

    @Test func aConfigurationIsJudgedAtTheEntry() throws {
        let folder = try Self.folder()
        try folder.write(#"{"schema": "s.graphql", "documents": ["web/Films.tsx", "web/*.tsx"]}"#, to: "baton.json")
        let outcome = CommandTests.run("compile", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(
            outcome.errors.contains("baton.json:1:39: error: 'web/Films.tsx' is a TypeScript file"), "\(outcome.errors)"
        )
        #expect(outcome.errors.contains("baton.json:1:56: warning: 'web/*.tsx' finds only TypeScript files"))
    }

    @Test(arguments: ["format web/Films.tsx", "format --stdin-path web/Films.tsx -"])
    func aFileOfAnotherKindIsNotFormatted(_ command: String) throws {
        let outcome = CommandTests.run(command, in: try Self.folder())
        #expect(outcome.status == .inputErrors)
        #expect(outcome.output == "")
        let expected = "error: 'web/Films.tsx' is a TypeScript file, and GraphQL and Swift files are formatted"
        #expect(outcome.errors.hasPrefix(expected), "\(outcome.errors)")
    }

    @Test func whatIsLeftOutIsNoMissingFile() throws {
        let outcome = CommandTests.run("validate --schema s.graphql --documents s.*", in: try Self.folder())
        #expect(
            outcome.errors.hasPrefix("error: 's.*' is left out of the documents [pattern-unmatched]\n"),
            "\(outcome.errors)")
    }
}
