import BatonCommand
import BatonCompiler
import Foundation
import Testing

struct FormatTests {
    private static func project() throws -> TemporaryFolder {
        try CommandTests.project(["A.graphql": "query A { films { titel } }\nfragment B on Film { id }\n"])
    }

    private static let validate = "validate --schema schema.graphql --documents A.graphql"

    @Test func textIsOnStandardErrorAndEndsWithASummary() throws {
        let outcome = CommandTests.run(Self.validate, in: try Self.project())
        #expect(outcome.status == .inputErrors)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                A.graphql:1:19: error: unknown field 'titel' on type 'Film' [unknown-field]
                    1 | query A { films { titel } }
                      |                   ^~~~~
                  help: did you mean 'title'?
                  fix: replace 'titel' with 'title'
                A.graphql:2:10: warning: fragment 'B' is never used [unused-fragment]
                    2 | fragment B on Film { id }
                      |          ^
                1 error, 1 warning

                """
        )
    }

    @Test func gitHubCommandsAreOnStandardOutputAlone() throws {
        let folder = try Self.project()
        let outcome = CommandTests.run(Self.validate + " --format github", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                ::error file=A.graphql,line=1,endLine=1,col=19,endColumn=24,title=unknown-field::\
                unknown field 'titel' on type 'Film'%0Ahelp: did you mean 'title'?%0Afix: 'title'
                ::warning file=A.graphql,line=2,endLine=2,col=10,endColumn=11,title=unused-fragment::\
                fragment 'B' is never used

                """
        )
        let fine = CommandTests.run("validate --schema schema.graphql --format github", in: folder)
        #expect(fine == CommandLineTool.Outcome())
    }

    /// Printed text is as harmless as diagnostics, and is still the same schema.
    @Test func printedTextHoldsNoControlCharacters() throws {
        let folder = try TemporaryFolder([
            "s.graphql": "\"a \u{1B}[31m \u{9B}2J \u{202E}\"\ntype Query { a(b: String = \"\u{1B}\u{9B}\"): Int }\n",
            "A.graphql": "query A { a(b: \"\u{1B}[0m\u{2066}\") }",
        ])
        for command in ["print schema --schema s.graphql", "print operations --schema s.graphql --documents A.graphql"]
        {
            let printed = CommandTests.run(command, in: folder)
            #expect(printed.status == .success)
            #expect(!printed.output.unicodeScalars.contains { $0.properties.generalCategory == .format })
            #expect(!printed.output.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        }
        let once = CommandTests.run("print schema --schema s.graphql", in: folder)
        try folder.write(once.output, to: "s.graphql")
        #expect(CommandTests.run("print schema --schema s.graphql", in: folder) == once)
        #expect(once.output.contains(#""a \u001B[31m \u009B2J \u202E""#))
    }

    // MARK: - Colours

    @Test(
        arguments: [
            (true, ["TERM": "xterm"], "", true),
            (true, ["TERM": "xterm", "NO_COLOR": ""], "", true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], "", false),
            (true, ["TERM": "dumb"], "", false),
            (true, [:], "", false),
            (false, ["TERM": "xterm"], "", false),
            (false, ["TERM": "xterm"], " --color auto", false),
            (false, ["NO_COLOR": "1"], " --color always", true),
            (true, ["TERM": "xterm"], " --color never", false),
            (true, ["TERM": "xterm"], " --color=auto", true),
        ] as [(Bool, [String: String], String, Bool)])
    func coloursAreForTerminals(
        _ isTerminal: Bool,
        _ environment: [String: String],
        _ option: String,
        _ isColored: Bool
    ) throws {
        let folder = try Self.project()
        let terminal = Terminal(isTerminal: isTerminal, environment: environment)
        let words = (Self.validate + option).split(separator: " ").map(String.init)
        let outcome = CommandLineTool.run(words, in: folder.path.description, terminal: terminal)
        #expect(outcome.errors.contains("\u{1B}[") == isColored)
        let plain = CommandTests.run(Self.validate, in: folder)
        #expect(outcome.errors.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.errors)
        for format in ["json", "github"] {
            let other = CommandLineTool.run(
                words + ["--format", format], in: folder.path.description, terminal: terminal)
            #expect(!other.output.contains("\u{1B}"))
        }
    }

    // MARK: - Limits

    @Test(arguments: [
        ("", "{}", 0, ""),
        (
            "--max-nesting 2", "{}", 1,
            "A.graphql:1:17: error: the document is nested more than 2 levels deep [nesting-limit]"
        ),
        ("--max-nesting 3", #"{"limits": {"nesting": 2}}"#, 0, ""),
        ("", #"{"limits": {"nesting": 2}}"#, 1, "A.graphql:1:17: error: "),
        ("--max-tokens 9", "{}", 1, "A.graphql:1:32: error: the document has more than 9 tokens [token-limit]"),
        ("--max-tokens 100", #"{"limits": {"tokens": 9}}"#, 0, ""),
        ("--max-tokens 0", "{}", 2, "baton: error: '--max-tokens' must be from 1 to 1000000000, not '0'"),
        ("--max-nesting 501", "{}", 2, "baton: error: '--max-nesting' must be from 1 to 500, not '501'"),
        ("--max-nesting=x", "{}", 2, "baton: error: '--max-nesting' must be from 1 to 500, not 'x'"),
    ]) func limitsAreSetOnTheCommandLine(_ options: String, _ configuration: String, _ status: Int32, _ start: String)
        throws
    {
        let folder = try TemporaryFolder([
            "baton.json": configuration, "schema.graphql": "type Query{b:Query}",
            "A.graphql": "query A { b { b { __typename } } }",
        ])
        let outcome = CommandTests.run("validate " + options, in: folder)
        #expect(outcome.status.rawValue == status)
        #expect(outcome.errors.hasPrefix(start), "\(outcome.errors)")
        #expect(start.isEmpty == outcome.errors.isEmpty)
    }
}
