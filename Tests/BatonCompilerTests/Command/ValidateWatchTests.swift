import BatonCommand
import BatonCompiler
import BatonProject
import Foundation
import Synchronization
import Testing

/// `baton validate --watch`. Each step edits the project, and waits for what is printed.
@Suite(.serialized) struct ValidateWatchTests {
    private static let files = [
        "baton.json": #"{"schema": "schema.graphql", "documents": ["*.graphql"]}"#,
        "schema.graphql": "type Query { film: String }", "film.graphql": "query Film { film }",
    ]

    /// Runs a watch that takes the next step whenever it prints, and ends after the last one.
    private static func watch(
        _ folder: TemporaryFolder, _ arguments: String = "", steps: [@Sendable (TemporaryFolder) throws -> Void]
    ) throws -> (printed: [String], status: CommandLineTool.ExitStatus) {
        let stop = try #require(WakePipe())
        let printed = Mutex<[String]>([])
        let console = WatchConsole(stop: stop) { output, errors in
            let count = printed.withLock { printed in
                printed.append(output + errors)
                return printed.count
            }
            do {
                if count <= steps.count { try steps[count - 1](folder) } else { stop.wake() }
            } catch { stop.wake() }
        }
        // A step that is never told of must not hang the run.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { stop.wake() }
        let words = ["validate", "--watch"] + arguments.split(separator: " ").map(String.init)
        let outcome = CommandLineTool.run(words, in: folder.path.description, console: console)
        return (printed.withLock { $0 }.map { $0.replacing(#/\ \(\d+\ ms\)/#, with: "") }, outcome.status)
    }

    @Test func whatChangesIsJudgedAgainAndNothingIsWritten() throws {
        let folder = try TemporaryFolder(Self.files)
        let (printed, status) = try Self.watch(
            folder,
            steps: [
                { try $0.write("query Film { fil }", to: "film.graphql") },
                { try $0.write("query Film { fil fim }", to: "film.graphql") },
                { try $0.write("query Film { fil fin }", to: "film.graphql") },
                { try $0.write("type Query { fil: String fin: Int }", to: "schema.graphql") },
                { try $0.write("query New { film }", to: "new.graphql") },
                { try $0.remove("new.graphql") },
                { try $0.write(#"{"schema": 1}"#, to: "baton.json") },
            ])
        #expect(status == .success)
        try #require(printed.count == 8, "\(printed)")
        #expect(printed[0] == "watching: no errors\n")
        #expect(printed[1].hasPrefix("film.graphql: 1 error\nfilm.graphql:1:14: error: unknown field 'fil'"))
        #expect(printed[2].hasPrefix("film.graphql: 2 errors\n"))
        #expect(printed[3].hasPrefix("film.graphql: 2 errors\n") && printed[3].contains("'fin'"))
        #expect(printed[4] == "schema.graphql: all errors are gone\n")
        #expect(printed[5].hasPrefix("new.graphql: 1 error\nnew.graphql:1:13: error: unknown field 'film'"))
        #expect(printed[6] == "new.graphql: all errors are gone\n")
        #expect(printed[7].contains("baton.json:1:12: error:"), "\(printed[7])")
        #expect(folder.contents.keys.sorted() == ["baton.json", "film.graphql", "schema.graphql"])
    }

    /// What the watch prints of mistakes is what a run without it prints.
    @Test func theDiagnosticsAreThoseOfARun() throws {
        let folder = try TemporaryFolder(Self.files)
        let text = "query Film { film } fragment Odd on Query { film @required(action: THRO) }"
        try folder.write(text, to: "film.graphql")
        let run = CommandTests.run("validate", in: folder)
        let (printed, _) = try Self.watch(folder, steps: [])
        #expect(printed == ["watching: 1 error\n" + run.errors])
        let json = try Self.watch(folder, "--format json", steps: []).printed
        #expect(json == [CommandTests.run("validate --format json", in: folder).output + "watching: 1 error\n"])
    }

    /// They are judged last, and by a run without a watch too.
    @Test func theRulesOfDirectivesAreApplied() throws {
        let folder = try TemporaryFolder(Self.files)
        try folder.write("query Film { film @required(action: THROW) @catch }", to: "film.graphql")
        let run = CommandTests.run("validate", in: folder)
        #expect(run.status == .inputErrors)
        let (printed, _) = try Self.watch(folder, steps: [])
        #expect(printed.count == 1 && printed[0].hasSuffix(run.errors), "\(printed)")
    }

    /// The build of such a package generates.
    @Test func aPackageWithThePluginIsWatched() throws {
        let folder = try TemporaryFolder(Self.files)
        try folder.write(
            #"let package = Package(targets: [.target(name: "App", path: ".", plugins: ["BatonPlugin"])])"#,
            to: "Package.swift")
        #expect(CommandTests.run("compile --watch", in: folder).status == .usageErrors)
        #expect(try Self.watch(folder, steps: []).printed == ["watching: no errors\n"])
    }

    @Test func aConfigurationBelowIsNamedFirst() throws {
        let folder = try TemporaryFolder(
            Dictionary(uniqueKeysWithValues: Self.files.map { ("App/" + $0.key, $0.value) }))
        let (printed, _) = try Self.watch(folder, steps: [{ _ in }])
        #expect(printed == ["using App/baton.json\n", "watching: no errors\n"])
    }
}
