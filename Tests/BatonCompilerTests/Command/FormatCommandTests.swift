import BatonCommand
import BatonCompiler
import Foundation
import Testing

struct FormatCommandTests {
    private static let unformatted = "query A{films{id}}"
    private static let formatted = "query A {\n  films {\n    id\n  }\n}\n"

    @Test func documentsOfTheProjectAreFormattedAndTheSchemaIsNot() throws {
        let folder = try CommandTests.project(["A.graphql": Self.unformatted])
        let check = CommandTests.run("format --check", in: folder)
        #expect(check.status == .inputErrors)
        #expect(
            check.errors == """
                A.graphql is not formatted
                App/FilmList.swift is not formatted
                2 files are not formatted; 'baton format' formats them

                """
        )
        #expect(folder.text("A.graphql") == Self.unformatted)

        let outcome = CommandTests.run("format", in: folder)
        #expect(outcome.status == .success)
        #expect(
            outcome.output == "formatted A.graphql\nformatted App/FilmList.swift\n2 formatted, 1 unchanged\n"
        )
        #expect(folder.text("A.graphql") == Self.formatted)
        #expect(
            folder.text("App/FilmList.swift") == """
                private let query = graphql(\"""
                  query FilmListQuery($first: Int) {
                    films(first: $first) {
                      ...FilmRow_film
                    }
                  }
                  \""")
                """
        )
        #expect(folder.text("App/FilmRow.swift") == CommandTests.filmRow)
        #expect(folder.text("schema.graphql") == CommandTests.schema)
        #expect(CommandTests.run("format --check", in: folder) == CommandLineTool.Outcome())
    }

    @Test func namedFilesFoldersAndPatternsAreFormatted() throws {
        let folder = try TemporaryFolder([
            "schema.graphqls": "type Query{a:Int}", "more/A.graphql": Self.unformatted, "more/B.gql": Self.unformatted,
            "more/C.txt": Self.unformatted, "other/D.graphql": Self.unformatted,
        ])
        #expect(CommandTests.run("format schema.graphqls more oth*/*.graphql", in: folder).status == .success)
        #expect(folder.text("schema.graphqls") == "type Query {\n  a: Int\n}\n")
        #expect(folder.text("more/A.graphql") == Self.formatted)
        #expect(folder.text("more/B.gql") == Self.formatted)
        #expect(folder.text("more/C.txt") == Self.unformatted)
        #expect(folder.text("other/D.graphql") == Self.formatted)
        #expect(CommandTests.run("format missing.graphql", in: folder).status == .usageErrors)
    }

    @Test func aFileWithASyntaxErrorStaysAndTheOthersAreFormatted() throws {
        let folder = try TemporaryFolder(["A.graphql": "query A{a(}", "B.graphql": Self.unformatted])
        let outcome = CommandTests.run("format A.graphql B.graphql", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(outcome.errors.hasPrefix("A.graphql:1:11: error: "))
        #expect(outcome.output == "formatted B.graphql\n1 formatted, 0 unchanged, 1 left as it is\n")
        #expect(folder.text("A.graphql") == "query A{a(}")
        #expect(folder.text("B.graphql") == Self.formatted)
    }

    @Test func aSwiftFileWithASyntaxErrorStaysAsAWhole() throws {
        let text = "let a = graphql(\"\"\"\n  { a }\n  \"\"\")\nlet b = graphql(\"\"\"\n  { b\n  \"\"\")\n"
        let folder = try TemporaryFolder(["A.swift": text])
        let outcome = CommandTests.run("format A.swift", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(outcome.errors.hasPrefix("A.swift:6:3: error: "))
        #expect(folder.text("A.swift") == text)
    }

    @Test func standardInputIsFormattedToStandardOutput() throws {
        let folder = try TemporaryFolder()
        func run(_ arguments: [String], _ text: String) -> CommandLineTool.Outcome {
            CommandLineTool.run(arguments, in: folder.path.description) { Array(text.utf8) }
        }
        var expected = CommandLineTool.Outcome()
        expected.output = Self.formatted
        #expect(run(["format", "-"], Self.unformatted) == expected)
        #expect(run(["format", "--check", "-"], Self.formatted) == CommandLineTool.Outcome())
        #expect(run(["format", "--check", "-"], Self.unformatted).status == .inputErrors)
        let broken = run(["format", "-"], "query A{")
        #expect(broken.status == .inputErrors && broken.output == "")
        #expect(run(["format", "-", "A.graphql"], "").status == .usageErrors)

        let swift = "let a = graphql(\n    \"\"\"\n    { a }\n    \"\"\")\n"
        let output = run(["format", "-", "--stdin-path", "A.swift"], swift).output
        #expect(output == "let a = graphql(\n    \"\"\"\n    {\n      a\n    }\n    \"\"\")\n")
    }

    @Test func literalsWithEscapesOrOnOneLineStay() throws {
        let text = """
            let a = graphql(\"""
                query A { a(text: "\\u{41}") }
                \""")
            let b = graphql("query B { b }")
            let c = graphql(#\"""
                query C { c(text: "\\u0041") }
                \"""#)
            """
        let folder = try TemporaryFolder(["A.swift": text])
        #expect(CommandTests.run("format A.swift", in: folder).status == .success)
        let formatted = "query C {\n      c(text: \"\\u0041\")\n    }"
        #expect(folder.text("A.swift") == text.replacing("query C { c(text: \"\\u0041\") }", with: formatted))
    }

    @Test func permissionsAndLinksStay() throws {
        let folder = try TemporaryFolder(["A.graphql": Self.unformatted])
        try folder.link("Link.graphql", to: "A.graphql")
        let path = folder.path.appending("A.graphql").description
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(CommandTests.run("format Link.graphql", in: folder).status == .success)
        #expect(folder.text("A.graphql") == Self.formatted)
        let link = folder.path.appending("Link.graphql").description
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "A.graphql")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }
}
