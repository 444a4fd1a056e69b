import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonTransforms
import Foundation
import Testing

struct DiagnosticGuideTests {
    private static func page(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Sources/Baton/Baton.docc/\(name)"), encoding: .utf8)
    }

    @Test func theGuideExplainsEveryDiagnosticAndNoOther() throws {
        let lines = try Self.page("CompilerDiagnostics.md").split(separator: "\n")
        let explained = lines.filter { $0.hasPrefix("- `") }.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        #expect(Set(explained).count == explained.count)
        #expect(Set(explained).symmetricDifference(DiagnosticID.all.map(\.rawValue)) == [])
        #expect(Set(DiagnosticID.warnings).isSubset(of: DiagnosticID.all))
    }

    /// What is reported as a warning anywhere must be among those whose level can be chosen.
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
