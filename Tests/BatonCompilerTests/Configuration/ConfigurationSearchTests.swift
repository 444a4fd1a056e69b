import BatonCommand
import BatonCompiler
import Testing

/// Commands in a folder that has its configuration below it.
struct ConfigurationSearchTests {
    private static func folder(_ configurations: [String]) throws -> TemporaryFolder {
        var files = [
            "Sources/Films/schema.graphql": CommandTests.schema, "Sources/Films/FilmRow.swift": CommandTests.filmRow,
            "Sources/Films/FilmList.swift": CommandTests.filmList,
        ]
        for name in configurations { files[name] = "{}" }
        return try TemporaryFolder(files)
    }

    @Test(arguments: ["compile", "compile --check", "validate", "format --check", "print schema", "print operations"])
    func theOnlyConfigurationBelowIsUsedAndNamed(_ command: String) throws {
        let others = [".build/checkouts/a/baton.json", "node_modules/baton.json"]
        let folder = try Self.folder(["Sources/Films/baton.json"] + others)
        let outcome = CommandTests.run(command, in: folder)
        #expect(outcome.errors.hasPrefix("using Sources/Films/baton.json\n"), "\(outcome.errors)")
        #expect(outcome.status != .usageErrors)
    }

    @Test(arguments: ["compile", "compile --watch", "validate", "validate --watch", "format", "print operations"])
    func severalConfigurationsBelowAreNamed(_ command: String) throws {
        let folder = try Self.folder(["Sources/Films/baton.json", "B/baton.json", "A/x/baton.json"])
        let outcome = CommandTests.run(command, in: folder)
        #expect(outcome.status == .usageErrors)
        #expect(
            outcome.errors == """
                error: there is no 'baton.json' in this folder or one above it, and below it are several: 'B/baton.json', \
                'A/x/baton.json', 'Sources/Films/baton.json' [configuration-file]
                  help: name one with '--config'
                1 error

                """, "\(outcome.errors)")
    }

    @Test func linksAndFoldersNamedLikeAConfigurationAreNoConfigurations() throws {
        let folder = try Self.folder([])
        try folder.makeFolder("A/baton.json")
        try folder.link("loop", to: ".")
        #expect(Configuration.below(folder.path) == [])
        try folder.write("{}", to: "A/B/baton.json")
        #expect(Configuration.below(folder.path) == [folder.path.appending("A/B/baton.json")])
        #expect(Configuration.below(AbsolutePath(absolute: "/")) == [])
    }
}
