import BatonCommand
import BatonDiagnostics
import Testing

struct WarningLevelTests {
    private static let unused =
        "App/FilmRow.swift:1:37: warning: fragment 'FilmRow_film' is never used [unused-fragment]\n"

    private static func project(_ configuration: String) throws -> TemporaryFolder {
        let folder = try CommandTests.project(["baton.json": configuration, "A.graphql": "query A { films { id } }"])
        try folder.remove("App/FilmList.swift")
        return folder
    }

    @Test(arguments: [
        ("{}", "", "warning", 0),
        (#"{"warnings": {"unused-fragment": "error"}}"#, "", "error", 1),
        (#"{"warnings": {"unused-fragment": "off"}}"#, "", "", 0),
        (#"{"warnings": {"unused-fragment": "off"}}"#, " --warning unused-fragment=error", "error", 1),
        (#"{"warnings": {"unused-fragment": "error"}}"#, " --warning unused-fragment=warning", "warning", 0),
        (#"{"warnings": {"unused-fragment": "error"}}"#, " --warning renamed-type=off", "error", 1),
        ("{}", " --warning renamed-type=off --warning unused-fragment=off", "", 0),
        ("{}", " --warning renamed-type=off unused-fragment=off", "", 0),
    ]) func levelsAreChosenByConfigurationAndCommandLine(
        _ configuration: String,
        _ options: String,
        _ severity: String,
        _ status: Int32
    ) throws {
        for command in ["validate", "compile"] {
            let folder = try Self.project(configuration)
            let outcome = CommandTests.run(command + options, in: folder)
            #expect(outcome.status.rawValue == status)
            let expected = Self.unused.replacing("warning", with: severity)
            #expect(severity.isEmpty ? outcome.errors == "" : outcome.errors.hasPrefix(expected), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix(severity.isEmpty ? "" : "1 \(severity)\n"))
            let isWritten = folder.text("__generated__/AQuery.graphql.swift") != nil
            #expect(isWritten == (command == "compile" && status == 0))
        }
    }

    @Test func onlyWarningsChange() {
        let levels = WarningLevels([.unknownDirective: .off, .conflictingFields: .error])
        let diagnostics = [
            Diagnostic(.unknownDirective, "stays", at: .none),
            Diagnostic(.unknownDirective, severity: .warning, "goes", at: .none),
            Diagnostic(.conflictingFields, severity: .warning, "rises", at: .none),
            Diagnostic(.unusedFragment, severity: .warning, "stays", at: .none),
        ]
        let applied = levels.applied(to: diagnostics)
        #expect(applied.map(\.message) == ["stays", "rises", "stays"])
        #expect(applied.map(\.severity) == [.error, .error, .warning])
    }
}
