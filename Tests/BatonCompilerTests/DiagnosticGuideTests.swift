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
        let ids: [DiagnosticID] =
            DiagnosticID.syntaxIDs + DiagnosticID.schemaIDs + DiagnosticID.validationIDs + DiagnosticID.transformIDs
            + DiagnosticID.codegenIDs + DiagnosticID.compilerIDs
        #expect(Set(explained).count == explained.count)
        #expect(Set(explained).symmetricDifference(ids.map(\.rawValue)) == [])
    }

    @Test func theGuideGivesEveryKeyWithItsDefault() throws {
        let guide = try Self.page("CompilingDocuments.md")
        for key in ConfigurationKey.allCases {
            let value = key.defaultText.map { "`\($0)`" } ?? "none"
            #expect(guide.contains("\n| `\(key.rawValue)` | \(value) | "))
        }
    }
}
