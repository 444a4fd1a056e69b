import BatonCommand
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
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
        let levels = WarningLevels([.unknownDirective: .off, .conflictingFields: .error, .reservedName: .warning])
        let diagnostics = [
            Diagnostic(.unknownDirective, "stays", at: .none),
            Diagnostic(.unknownDirective, severity: .warning, "goes", at: .none),
            Diagnostic(.conflictingFields, severity: .warning, "rises", at: .none),
            Diagnostic(.unusedFragment, severity: .warning, "stays", at: .none),
            Diagnostic(.reservedName, "stays", at: .none),
            Diagnostic(.reservedName, "falls", at: .none, isLowerable: true),
            Diagnostic(.missingInterface, "stays", at: .none, isLowerable: true),
        ]
        let applied = levels.applied(to: diagnostics)
        #expect(applied.map(\.message) == ["stays", "rises", "stays", "stays", "falls", "stays"])
        #expect(applied.map(\.severity) == [.error, .error, .warning, .error, .warning, .error])
        #expect(diagnostics.map(levels.lower) == [false, false, false, false, false, true, false])
    }

    private static let defects = [
        "schema.graphql": """
        type Query { film: Film __draft: Int }
        interface Node { id: ID! }
        interface Titled implements Node { id: ID! title: String }
        type Film implements Titled { title: String }

        """,
        "A.graphql": "query A { film { ... on Titled { title id } title } __draft }",
    ]

    private static let lowerable = ["missing-interface", "missing-interface-field", "reserved-name"]

    @Test func defectsOfASchemaAreErrorsUnlessTheyAreLowered() throws {
        let folder = try TemporaryFolder(Self.defects.merging(["baton.json": "{}"]) { $1 })
        let strict = CommandTests.run("compile", in: folder)
        #expect(strict.status == .inputErrors)
        for id in Self.lowerable { #expect(strict.errors.contains("error: ") && strict.errors.contains("[\(id)]")) }
        #expect(strict.errors.hasSuffix("3 errors\n"))

        for level in ["warning", "off"] {
            let levels = Self.lowerable.map { "\"\($0)\": \"\(level)\"" }.joined(separator: ", ")
            try folder.write("{\"warnings\": {\(levels)}}", to: "baton.json")
            for command in ["compile", "validate", "print schema", "print operations"] {
                let outcome = CommandTests.run(command, in: folder)
                #expect(outcome.status == .success, "\(command): \(outcome.errors)")
            }
            #expect(CommandTests.run("compile", in: folder).errors.isEmpty == (level == "off"))
        }
        #expect(folder.text("__generated__/AQuery.graphql.swift") != nil)
        let back = "compile --warning \(Self.lowerable[0])=error"
        #expect(CommandTests.run(back, in: folder).status == .inputErrors)

        let options = Self.lowerable.map { "\($0)=warning" }.joined(separator: " ")
        for command in ["validate", "print operations"] {
            let outcome = CommandTests.run(
                "\(command) --schema schema.graphql --documents A.graphql --warning \(options)", in: folder)
            #expect(outcome.status == .success, "\(outcome.errors)")
        }
    }

    /// Every client gives such a name another meaning than the schema.
    @Test(arguments: ["__typename: Int", "__id: ID", "__schema: Int", "__type(name: String): Int", "__isNode: Int"])
    func namesWithAMeaningStayErrors(_ field: String) throws {
        let folder = try TemporaryFolder(["schema.graphql": "type Query { a: Int \(field) }"])
        let outcome = CommandTests.run("validate --schema schema.graphql --warning reserved-name=off", in: folder)
        #expect(outcome.status == .inputErrors)
        #expect(outcome.errors.contains("[reserved-name]"))
    }
}
