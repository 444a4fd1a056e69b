import BatonCodegen
import BatonCommand
import BatonCompiler
import BatonDiagnostics
import BatonSyntax
import BatonTransforms
import BatonValidation
import Foundation
import Testing

struct DiagnosticGuideTests {
    private static func page(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Sources/Baton/Baton.docc/\(name)"), encoding: .utf8)
    }

    private static func guide() throws -> DiagnosticGuide { DiagnosticGuide(try page("CompilerDiagnostics.md")) }

    @Test func theGuideExplainsEveryDiagnosticAndNoOther() throws {
        let explained = try Self.guide().sections.map(\.id)
        #expect(Set(explained).count == explained.count)
        #expect(Set(explained).symmetricDifference(DiagnosticID.all.map(\.rawValue)) == [])
        #expect(Set(DiagnosticID.warnings).isSubset(of: DiagnosticID.all))
    }

    /// The ids without an example: the mistake needs bytes that a page cannot hold, very long text, or an earlier run.
    /// Other tests cover these ids.
    private static let withoutExample: Set<DiagnosticID> = [
        .artifactKept, .invalidUTF8, .mistakeLimit, .mergingLimit, .moduleSize, .fragmentLimit, .selectionDepth,
        .selectionSize,
    ]

    @Test func everyExampleGivesItsDiagnosticAndItsCureNone() throws {
        let guide = try Self.guide()
        for section in guide.sections {
            let isLong = Self.withoutExample.contains(DiagnosticID(rawValue: section.id))
            #expect(section.examples.count == (isLong ? 0 : 2), "\(section.id)")
            for (example, expected) in zip(section.examples, [[section.id], []]) {
                let (files, command) = guide.project(example, of: section)
                let outcome = CommandTests.run(command + " --format json", in: try TemporaryFolder(files))
                let line = outcome.output.prefix { $0 != "\n" }
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]]
                let diagnostics = try #require(object?["diagnostics"])
                #expect(diagnostics.compactMap { $0["id"] as? String } == expected, "\(section.id): \(diagnostics)")
                let severity = diagnostics.first?["severity"] as? String
                #expect(outcome.status == (severity == "error" ? outcome.status : .success))
            }
        }
    }

    /// The text of each section states whether the diagnostic is a warning, so that readers know whether it can be
    /// turned off.
    @Test func theGuideSaysWhatIsAWarning() throws {
        let page = try Self.page("CompilerDiagnostics.md")
        for section in page.split(separator: "\n### ").dropFirst() {
            let lines = section.split(separator: "\n")
            let isWarning = DiagnosticID.warnings.contains(DiagnosticID(rawValue: String(lines[0])))
            #expect(lines[1...].joined(separator: " ").contains(/[Aa] +warning/) == isWarning, "\(lines[0])")
        }
    }

    /// Every diagnostic that is a warning in some case has a level that can be chosen.
    @Test func everyRecordedWarningCanBeTurnedOff() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let warnings = Set(DiagnosticID.warnings.map(\.rawValue))
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) where path.hasSuffix(".expected") {
            let text = try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains(": warning: ") && line.hasSuffix("]") {
                let id = line.split(separator: "[").last.map { String($0.dropLast()) } ?? ""
                #expect(warnings.contains(id), "\(path): \(line)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test func theGuideGivesEveryKeyWithItsDefault() throws {
        let guide = try Self.page("CompilingDocuments.md")
        for key in ConfigurationKey.allCases {
            let value = key.defaultText.map { "`\($0)`" } ?? "none"
            #expect(guide.contains("\n| `\(key.rawValue)` | \(value) | "))
        }
    }
}
