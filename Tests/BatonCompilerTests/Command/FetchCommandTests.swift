import BatonCommand
import BatonCompiler
import Foundation
import TestServer
import Testing

@Suite(.timeLimit(.minutes(20)))
struct FetchCommandTests {
    private static func server() throws -> LoopbackServer {
        let answer = try FetchedSchemaTests.answer("type Query { b: Int a: String }")
        return try LoopbackServer { request in
            request.headers["authorization"] == "Bearer t0ken" ? .json(answer) : .response(401, "{}")
        }
    }

    private static let sdl = "type Query {\n  a: String\n  b: Int\n}\n"

    private static func run(_ arguments: [String], in folder: TemporaryFolder) -> CommandLineTool.Outcome {
        CommandLineTool.run(arguments, in: folder.path.description, environment: ["TOKEN": "t0ken"])
    }

    private static func run(_ words: String, _ server: LoopbackServer, in folder: TemporaryFolder)
        -> CommandLineTool.Outcome
    {
        let words = words.split(separator: " ").map { $0 == "URL" ? server.url.absoluteString : String($0) }
        return run(words + ["--header", "Authorization: Bearer ${TOKEN}"], in: folder)
    }

    @Test func theFileIsWrittenWhereTheProjectHasItsSchema() throws {
        let server = try Self.server()
        defer { server.stop() }
        let folder = try TemporaryFolder(["baton.json": "{\"schema\": \"api/films.graphql\"}"])
        let missing = Self.run("schema fetch URL --check", server, in: folder)
        #expect(missing.errors == "api/films.graphql is missing\n")
        #expect(missing.status == .inputErrors)
        let outcome = Self.run("schema fetch URL", server, in: folder)
        #expect(outcome.output == "wrote api/films.graphql\n")
        #expect(outcome.errors == "" && outcome.status == .success)
        #expect(folder.text("api/films.graphql") == Self.sdl)
        let again = Self.run("schema fetch URL --check", server, in: folder)
        #expect(again.output == "api/films.graphql is up to date\n")
        #expect(again.status == .success)
        try folder.write("type Query { a: Int }", to: "api/films.graphql")
        let check = Self.run("schema fetch URL --check", server, in: folder)
        #expect(check.errors == "api/films.graphql differs from the schema of the server\n")
        #expect(check.status == .inputErrors)
        #expect(folder.text("api/films.graphql") == "type Query { a: Int }")
    }

    @Test func outputNamesTheFileAndItsForm() throws {
        let server = try Self.server()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        #expect(Self.run("schema fetch URL", server, in: folder).output == "wrote schema.graphql\n")
        #expect(Self.run("schema fetch URL --output a/b.json", server, in: folder).output == "wrote a/b.json\n")
        #expect(Self.run("schema fetch URL --output -", server, in: folder).output == Self.sdl)
        #expect(CommandTests.run("print schema --schema a/b.json", in: folder).output == Self.sdl)
        #expect(Self.run("schema fetch URL --output a", server, in: folder).status == .usageErrors)
        #expect(Self.run("schema fetch URL --output - --check", server, in: folder).status == .usageErrors)
        try folder.write("{\"schema\": [\"*.graphql\"]}", to: "baton.json")
        let several = Self.run("schema fetch URL", server, in: folder)
        #expect(several.errors.contains("'--output'"))
        #expect(several.status == .usageErrors)
    }

    @Test func nothingIsWrittenAfterAFailureAndNoSecretIsShown() throws {
        let server = try Self.server()
        defer { server.stop() }
        let folder = try TemporaryFolder(["schema.graphql": "mine"])
        let url = server.url.absoluteString + "?key=s3cret"
        let outcome = Self.run(["schema", "fetch", url, "--header", "Authorization: Bearer wr0ng"], in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(outcome.errors.contains("(status 401)"))
        #expect(!outcome.errors.contains("wr0ng") && !outcome.errors.contains("s3cret"))
        #expect(folder.contents == ["schema.graphql": "mine"])
    }

    @Test(arguments: [
        "schema fetch", "schema fetch a b", "schema fetch ftp://x", "schema fetch http://x --timeout 0",
        "schema fetch http://x --timeout x", "schema fetch http://x --retries -1", "schema fetch http://x --header",
        "schema fetch http://x --header a", "schema fetch http://x --header Authorization:$NOT_SET",
        "schema fetsh http://x",
        "init --timeout 3", "init --url nothing",
    ])
    func aWrongCommandLineIsRefused(_ words: String) throws {
        let folder = try TemporaryFolder()
        let outcome = CommandTests.run(words, in: folder)
        #expect(outcome.status == .usageErrors)
        #expect(outcome.errors.hasPrefix("baton: error: "))
        #expect(folder.contents.isEmpty)
    }

    @Test func initFetchesTheSchema() throws {
        let server = try Self.server()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        #expect(CommandTests.run("init --url \(server.url.absoluteString)", in: folder).status == .inputErrors)
        #expect(folder.contents.isEmpty)
        let outcome = Self.run("init --url URL", server, in: folder)
        #expect(outcome.output.hasPrefix("wrote schema.graphql\nwrote baton.json\nschema: schema.graphql\n"))
        #expect(outcome.status == .success)
        #expect(folder.text("schema.graphql") == Self.sdl)
        try folder.remove("baton.json")
        let again = Self.run("init --url URL", server, in: folder)
        #expect(again.errors.contains("'schema.graphql' exists already"))
        #expect(folder.text("baton.json") == nil)
    }
}
