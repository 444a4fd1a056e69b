import BatonCommand
import Foundation
import Testing

/// The treatment of paths by `baton validate`.
struct ValidateInputTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
        let status: CommandLineTool.ExitStatus
        /// The first lines of all diagnostics.
        let heads: [String]

        init(
            _ name: String,
            _ arguments: String,
            _ status: CommandLineTool.ExitStatus = .success,
            _ heads: [String] = []
        ) {
            testDescription = name
            self.arguments = arguments
            self.status = status
            self.heads = heads
        }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "s.graphql": "type Query { a: Int }", "e.graphql": "extend type Query { b: Int }",
            "empty.graphql": "", "d/A.graphql": "query A { a }", "d/x/B.gql": "query B { b }", "d/readme": "hello",
            "bad/C.graphql": "query C { c }", "bad/D.graphql": "{ a",
        ])
        try folder.makeFolder("nothing")
        try folder.makeFolder("f.graphql")
        try folder.link("d/loop", to: "../d")
        try folder.link("d/itself", to: "itself")
        try folder.link("d/L.graphql", to: "A.graphql")
        try folder.link("d/s.graphql", to: "../s.graphql")
        return folder
    }

    @Test(arguments: examples) func validateAcceptsFilesFoldersAndPatterns(_ example: Example) throws {
        let outcome = CommandTests.run("validate --schema " + example.arguments, in: try Self.folder())
        let heads = outcome.errors.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("warning: ") }
        #expect(heads.map(String.init) == example.heads)
        #expect(outcome.status == example.status)
        #expect(outcome.output == "")
    }

    private static let unknownB = "d/x/B.gql:1:11: error: unknown field 'b' on type 'Query' [unknown-field]"
    private static let bad = [
        "bad/C.graphql:1:11: error: unknown field 'c' on type 'Query' [unknown-field]",
        "bad/D.graphql:1:4: error: expected '}', found the end of the document [syntax]",
    ]

    static let examples: [Example] = [
        Example("a schema alone", "s.graphql"),
        Example("a schema of several files", "s.graphql e.graphql --documents d"),
        Example("a schema with an extension", "s.graphql --schema-extension e.graphql --documents d"),
        Example("extensions given twice", "s.graphql --schema-extension=e.graphql --documents d/x --documents=d"),
        Example(
            "a folder with links to itself, to a document and to the schema", "s.graphql --documents d", .inputErrors,
            [unknownB]),
        Example(
            "a pattern, and the same file again", "s.graphql --documents d/**/*.gql d/x/B.gql d/x", .inputErrors,
            [unknownB]),
        Example(
            "the same file by other paths",
            "s.graphql --documents d/A.graphql ./d/../d/A.graphql d/loop/A.graphql d/L.graphql"),
        Example("everything that is wrong", "s.graphql --documents bad", .inputErrors, bad),
        Example(
            "a file whatever its name", "s.graphql --documents d/readme", .inputErrors,
            ["d/readme:1:1: error: expected a definition, found 'hello' [syntax]"]),
        Example(
            "an empty file", "s.graphql --documents empty.graphql", .inputErrors,
            ["empty.graphql:1:1: error: expected a definition, found an empty document [empty-document]"]),
        Example(
            "a device", "s.graphql --documents /dev/null", .inputErrors,
            ["/dev/null:1:1: error: '/dev/null' is no regular file [file-unreadable]"]),
        Example(
            "a folder without documents", "s.graphql --documents nothing", .usageErrors,
            ["error: 'nothing' finds no file [pattern-unmatched]"]),
        Example(
            "a folder named like a file", "s.graphql --documents f.graphql", .usageErrors,
            ["error: 'f.graphql' finds no file [pattern-unmatched]"]),
        Example(
            "a pattern that finds nothing", "s.graphql --documents d/*.swift", .usageErrors,
            ["error: 'd/*.swift' finds no file [pattern-unmatched]"]),
        Example(
            "a path that leads nowhere", "s.graphql --documents d/A.graphql no/B.graphql", .usageErrors,
            ["error: 'no/B.graphql' does not exist [file-not-found]"]),
        Example(
            "a link to itself", "s.graphql --documents d/itself", .usageErrors,
            ["error: 'd/itself' does not exist [file-not-found]"]),
        Example(
            "the schema as a document", "s.graphql --documents s.graphql", .usageErrors,
            ["error: 's.graphql' is left out of the documents [pattern-unmatched]"]),
        Example(
            "a pattern with one brace", "s.graphql --documents {d", .usageErrors,
            ["error: this pattern has a brace without its counterpart [pattern-invalid]"]),
        Example(
            "no schema", "no.graphql --documents bad", .usageErrors,
            ["error: 'no.graphql' does not exist [file-not-found]", bad[1]]),
        Example(
            "a folder without a schema", "nothing --documents bad", .usageErrors,
            ["error: 'nothing' finds no schema [file-not-found]", bad[1]]),
        Example(
            "no extension", "s.graphql --schema-extension no*", .usageErrors,
            ["error: 'no*' finds no file [pattern-unmatched]"]),
    ]

    /// Some disks accept any bytes as a name.
    @Test func aFileNameThatIsNotUTF8IsReported() throws {
        let folder = try Self.folder()
        let name = Array("\(folder.path)/d/N".utf8) + [0xFF] + Array(".graphql".utf8) + [0]
        let isMade = name.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.flatMap { fopen($0, "w") }.map { fclose($0) == 0 } ?? false
            }
        }
        guard isMade else { return }
        let outcome = CommandTests.run("validate --schema s.graphql --documents d/*.graphql", in: folder)
        #expect(outcome.status == .inputErrors)
        let expected =
            "d/N\u{FFFD}.graphql:1:1: error: 'd/N\u{FFFD}.graphql' cannot be read: its name is not valid UTF-8"
        #expect(outcome.errors.hasPrefix(expected), "\(outcome.errors)")
    }
}
