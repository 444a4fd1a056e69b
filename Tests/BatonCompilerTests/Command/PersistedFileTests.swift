import BatonCodegen
import BatonCommand
import BatonCompiler
import Foundation
import Testing

/// The file of ids and texts that `baton compile` writes for a server.
@Suite struct PersistedFileTests {
    private static let text = "query Films {\n  films {\n    title\n  }\n}\n"
    private static let line = #""\#(TextHash.md5.id(of: text))": "query Films {\n  films {\n    title\n  }\n}\n""#

    private static func project(_ file: String? = nil) throws -> TemporaryFolder {
        var files = [
            "baton.json": #"{"persistConfig": {"file": "server/ids.json"}}"#,
            "schema.graphql": "type Query { films: [Film!]! } type Film { title: String }",
            "Films.graphql": "query Films { films { title } }",
        ]
        if let file { files["server/ids.json"] = file }
        return try TemporaryFolder(files)
    }

    private static func ids(in folder: TemporaryFolder) throws -> String {
        let path = URL(fileURLWithPath: folder.path.description).appendingPathComponent("server/ids.json")
        return try String(contentsOf: path, encoding: .utf8)
    }

    @Test func theFileHasTheTextsThatArtifactsLeaveOut() throws {
        let folder = try Self.project()
        let check = CommandTests.run("compile --check", in: folder)
        #expect(check.status == .inputErrors && check.errors.contains("server/ids.json is missing"))
        let made = CommandTests.run("compile", in: folder)
        #expect(made.status == .success && made.output.contains("added 1 to server/ids.json"))
        #expect(try Self.ids(in: folder) == "{\n  \(Self.line)\n}\n")
        #expect(CommandTests.run("compile --check", in: folder).status == .success)
    }

    /// Older builds of apps send older texts.
    @Test func entriesAreOnlyAdded() throws {
        let folder = try Self.project(#"{"old": "query Old { a }"}"#)
        let check = CommandTests.run("compile --check", in: folder)
        #expect(check.errors.contains("server/ids.json is out of date"))
        #expect(CommandTests.run("compile", in: folder).status == .success)
        #expect(try Self.ids(in: folder) == "{\n  \(Self.line),\n  \"old\": \"query Old { a }\"\n}\n")
    }

    @Test(arguments: ["[]", #"{"a": 1}"#, "{", ""])
    func aFileOfAnotherKindIsLeftAlone(_ text: String) throws {
        let folder = try Self.project(text)
        let made = CommandTests.run("compile", in: folder)
        #expect(made.status != .success && made.errors.contains("[artifact-conflict]"))
        #expect(try Self.ids(in: folder) == text)
    }
}
