import BatonCommand
import Testing

/// Runs of `compile` that would remove artifacts whose documents still stand in a source.
struct StandingDocumentTests {
    private static let other = "__generated__/FilmListQuery.graphql.swift"
    private static let row = "__generated__/FilmRow_film.graphql.swift"

    /// A compiled project in which a file was changed afterwards.
    private static func project(_ path: String, _ text: String) throws -> TemporaryFolder {
        let folder = try CommandTests.project()
        #expect(CommandTests.run("compile", in: folder).status == .success)
        try folder.write(text, to: path)
        return folder
    }

    /// The query is written in another way, so that it is not read any more.
    @Test(arguments: [
        CommandTests.filmList.replacing("graphql(", with: "gql("),
        CommandTests.filmList.replacing("graphql(", with: "graphql(text: "),
        CommandTests.filmList.replacing("graphql(", with: "Text("),
        "let text = " + CommandTests.filmList.drop { $0 != "\"" }.dropLast() + "\nlet query = graphql(text)",
        CommandTests.filmList.replacing("graphql(", with: "x.graphql("),
    ])
    func anArtifactIsKeptWhileItsDocumentStandsInASource(_ text: String) throws {
        let folder = try Self.project("App/FilmList.swift", text)
        let outcome = CommandTests.run("compile", in: folder)
        #expect(outcome.status == .success, "\(outcome.errors)")
        #expect(folder.text(Self.other) != nil)
        #expect(outcome.output == "kept \(Self.other)\n0 written, 0 removed, 1 unchanged, 1 kept\n")
        #expect(outcome.errors.contains("App/FilmList.swift:"))
        let message = "'\(Self.other)' is kept, because 'FilmListQuery' stands here, where it is not read"
        #expect(outcome.errors.contains("warning: \(message) [artifact-kept]"), "\(outcome.errors)")
        // `--check` agrees with a run.
        #expect(CommandTests.run("compile --check", in: folder).status == .success)
    }

    @Test func anArtifactIsRemovedWithItsDocument() throws {
        for text in ["", "// " + CommandTests.filmList.replacing("\n", with: "\n// "), "let other = graphqlText"] {
            let folder = try Self.project("App/FilmList.swift", text)
            let outcome = CommandTests.run("compile", in: folder)
            #expect(folder.text(Self.other) == nil, "\(outcome.errors)")
        }
    }

    /// If a pattern matches no file any more, no artifact is removed.
    @Test(arguments: [#"{"documents": ["Ap/**/*.swift"]}"#, #"{"documents": ["App/FilmRow.swift"]}"#])
    func artifactsOfFilesThatAreNoDocumentsAnyMoreAreKept(_ configuration: String) throws {
        let folder = try Self.project("baton.json", configuration)
        let outcome = CommandTests.run("compile", in: folder)
        #expect(outcome.status == .success)
        #expect(folder.text(Self.other) != nil, "\(outcome.output)")
        #expect(folder.text(Self.row) != nil)
        #expect(outcome.errors.contains("App/FilmList.swift:2:"))
    }

    /// A file is in `exclude` on purpose, and a folder with a configuration of its own is another project.
    @Test func artifactsOfExcludedFilesAreRemoved() throws {
        let excluded = try Self.project("baton.json", #"{"exclude": ["App/FilmList.swift"]}"#)
        #expect(CommandTests.run("compile", in: excluded).output.contains("removed \(Self.other)"))
        let parted = try Self.project("App/baton.json", "{}")
        #expect(CommandTests.run("compile", in: parted).output.contains("removed \(Self.other)"))
    }

    /// The artifacts that a kept document uses are kept too. Otherwise the module would not compile.
    @Test func nothingIsRemovedBesideAnArtifactThatIsKept() throws {
        let folder = try Self.project("App/FilmList.swift", CommandTests.filmList.replacing("graphql(", with: "gql("))
        try folder.write("", to: "App/FilmRow.swift")
        let outcome = CommandTests.run("compile", in: folder)
        #expect(folder.text(Self.other) != nil)
        #expect(folder.text(Self.row) != nil)
        #expect(outcome.output.hasPrefix("kept \(Self.other)\nkept \(Self.row)\n"), "\(outcome.output)")
    }

    @Test func theWarningCanBeAnErrorThatWritesNothing() throws {
        let folder = try Self.project("App/FilmList.swift", CommandTests.filmList.replacing("graphql(", with: "gql("))
        try folder.write("query New { films { id } }", to: "New.graphql")
        let outcome = CommandTests.run("compile --warning artifact-kept=error", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(folder.text("__generated__/NewQuery.graphql.swift") == nil)
    }

    /// Without the warning, the file is kept all the same, and the output names it in each run.
    @Test func withoutTheWarningTheOutputNamesWhatIsKept() throws {
        let folder = try Self.project("App/FilmList.swift", CommandTests.filmList.replacing("graphql(", with: "gql("))
        let levels = #""artifact-kept": "off", "swift-unread": "off", "unused-fragment": "off""#
        try folder.write(#"{"warnings": {\#(levels)}}"#, to: "baton.json")
        for arguments in ["compile", "compile --warning artifact-kept=off"] {
            let outcome = CommandTests.run(arguments, in: folder)
            #expect(outcome.status == .success)
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(outcome.output == "kept \(Self.other)\n0 written, 0 removed, 1 unchanged, 1 kept\n")
            #expect(folder.text(Self.other) != nil)
        }
    }

    @Test func aGraphQLFileThatIsNotReadKeepsItsArtifact() throws {
        let folder = try CommandTests.project(["Docs/Old.graphql": "query Old { films { id } }"])
        _ = CommandTests.run("compile", in: folder)
        try folder.write(#"{"documents": ["App"]}"#, to: "baton.json")
        let outcome = CommandTests.run("compile", in: folder)
        #expect(folder.text("__generated__/OldQuery.graphql.swift") != nil)
        #expect(outcome.errors.contains("Docs/Old.graphql:1:7: warning: "), "\(outcome.errors)")
    }
}
