import Baton
import BatonTesting
import Foundation
import Testing

@testable import BatonMock

@Suite("The program baton-mock")
struct ProgramTests {
    @Test func argumentsAreRead() throws {
        let options = try Options([
            "--schema", "a.graphql", "--schema=b.graphql", "--port", "0", "--seed=7", "--url-path", "/api/graphql",
            "--host", "::1", "--events", "20",
        ])
        #expect(options.schemas == ["a.graphql", "b.graphql"])
        #expect((options.port, options.seed) == (0, 7))
        #expect((options.path, options.host) == ("/api/graphql", "::1"))
        #expect(options.eventMilliseconds == 20)
        #expect(try Options(["--help"]).wantsHelp)
    }

    @Test(arguments: [
        [], ["--schema"], ["schema.graphql"], ["--schema", "a", "--port", "70000"], ["--schema", "a", "--seed", "-1"],
        ["--schema", "a", "--url-path", "graphql"], ["--schema", "a", "--url-path", "/health"],
        ["--schema", "a", "--body", "0"],
    ])
    func mistakesSayWhatToDo(arguments: [String]) {
        #expect(throws: Options.Mistake.self) { try Options(arguments) }
    }

    @Test func overridesAreReadAgainWhenTheyAreSaved() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "overrides-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func save(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        let world = try World(schema: RunningMock.schema)
        func title() -> JSONValue? { world.execute("{ film(id: \"Film:1\") { title } }")["data"]?["film"]?["title"] }
        let made = title()
        var file = OverrideFile(path, world, seed: 1)
        #expect(throws: (any Error).self) { _ = try file.readAgain() }
        try save(#"{"Film:1": {"title": "Hope"}}"#)
        #expect(try file.readAgain())
        #expect(title() == "Hope")
        #expect(try !file.readAgain())
        // A mistake changes nothing, and is told once.
        try save(#"{"Film:1": {"titel": "Fearful"}}"#)
        #expect(throws: WorldError.self) { _ = try file.readAgain() }
        #expect(try !file.readAgain())
        #expect(title() == "Hope")
        try save("{}")
        #expect(try file.readAgain())
        #expect(title() == made)
    }

    @Test func aPortThatIsTakenIsNamed() throws {
        let mock = try RunningMock()
        let error = #expect(throws: MockServer.StartError.self) {
            _ = try MockServer(port: mock.server.port, responder: mock.responder)
        }
        #expect(error?.description.contains("--port") == true)
    }
}
