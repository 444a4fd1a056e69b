import Foundation
import Testing

/// Every sentence under `### Behavior` in the documentation of handles has a test of that name.
@Suite struct BehaviorTests {
    private static func files(in folder: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let found = try #require(
            FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil))
        return try found.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// Returns the items of the lists under `### Behavior` in documentation comments.
    private static func guarantees(in source: String) -> [String] {
        var result: [String] = []
        var isInside = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text == "/// ### Behavior" {
                isInside = true
            } else if !text.hasPrefix("///") || text.hasPrefix("/// #") {
                isInside = false
            } else if isInside, text.hasPrefix("/// - ") {
                result.append(String(text.dropFirst(6)))
            } else if isInside, text.hasPrefix("///   "), let last = result.popLast() {
                result.append(last + " " + text.dropFirst(6))
            }
        }
        return result
    }

    @Test func everyGuaranteeOfAHandleHasATestOfItsName() throws {
        let guarantees = try Self.files(in: "Sources/Baton/Observation").flatMap(Self.guarantees)
        #expect(guarantees.count > 90)
        let tests =
            try Self.files(in: "Tests/BatonTests").joined() + Self.files(in: "Tests/GeneratedCodeTests").joined()
        // A long declaration is broken after the parenthesis.
        let names = tests.replacing(#/@Test\(\s+/#, with: "@Test(")
        for guarantee in guarantees where !names.contains("@Test(\"\(guarantee)\"") {
            Issue.record("no test is called '\(guarantee)'")
        }
    }
}
