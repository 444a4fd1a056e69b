import BatonDiagnostics
import Foundation
import Testing

@testable import BatonTransforms

/// The table of checks, compared with the files of the checks.
@Suite struct DocumentCheckTests {
    private static let module = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Compiler/Sources/BatonTransforms")

    private static func texts() throws -> [(path: String, text: String)] {
        let paths = FileManager.default.enumerator(atPath: module.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            (path, try String(contentsOf: module.appendingPathComponent(path), encoding: .utf8))
        }
    }

    @Test func theTableNamesEveryFileWithACheckOnce() throws {
        let files = try Self.texts().filter { $0.text.contains("= DocumentCheck(") }.map(\.path)
        #expect(DocumentCheck.all.map { "Checks/\($0.name).swift" }.sorted() == files)
        #expect(DocumentCheck.all.allSatisfy { !$0.looks.isEmpty })
    }

    /// A check declares the ids that it reports, and every declared id is reported by some check.
    @Test func theTableHasEveryDiagnosticOfTheModule() throws {
        #expect(Set(DocumentCheck.all.flatMap(\.ids)) == Set(DiagnosticID.transformsIDs))
        let texts = Dictionary(uniqueKeysWithValues: try Self.texts().map { ($0.path, $0.text) })
        let pattern = /\.(\w+)\b/
        for check in DocumentCheck.all {
            let text = try #require(texts["Checks/\(check.name).swift"])
            let body = try #require(text.split(separator: "\n}\n", maxSplits: 1).last)
            let words = Set(body.matches(of: pattern).map { Self.id(of: String($0.1)) })
            let known = Set(DiagnosticID.transformsIDs.map(\.rawValue))
            #expect(words.intersection(known) == Set(check.ids.map(\.rawValue)), "\(check.name)")
        }
    }

    /// Transforms report nothing.
    @Test func onlyChecksMakeDiagnostics() throws {
        let pattern = /\bDiagnostic\(/
        let makers = try Self.texts().filter { $0.text.firstMatch(of: pattern) != nil }.map(\.path)
        #expect(!makers.isEmpty && makers.allSatisfy { $0.hasPrefix("Checks/") }, "\(makers)")
    }

    private static func id(of member: String) -> String {
        member.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }
}
