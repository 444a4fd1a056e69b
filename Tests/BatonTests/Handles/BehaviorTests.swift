import Foundation
import Testing

/// Every sentence under `### Behavior` in the documentation of the runtime has a test of that name.
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
            } else if !text.hasPrefix("///") || text.hasPrefix("/// #") || text.hasPrefix("/// - Parameter") {
                isInside = false
            } else if isInside, text.hasPrefix("/// - ") {
                result.append(String(text.dropFirst(6)))
            } else if isInside, text.hasPrefix("///   "), let last = result.popLast() {
                result.append(last + " " + text.dropFirst(6))
            }
        }
        return result
    }

    @Test func everyGuaranteeHasATestOfItsName() throws {
        let guarantees = try Self.files(in: "Sources/Baton").flatMap(Self.guarantees)
        #expect(guarantees.count > 140)
        let tests =
            try Self.files(in: "Tests/BatonTests").joined() + Self.files(in: "Tests/GeneratedCodeTests").joined()
        // A long declaration is broken after the parenthesis.
        let names = tests.replacing(#/@Test\(\s+/#, with: "@Test(")
        for guarantee in guarantees where !names.contains("@Test(\"\(guarantee)\"") {
            Issue.record("no test is called '\(guarantee)'")
        }
    }
    /// Sections of another form would have guarantees that nothing checks.
    @Test func everySectionHasTheOneForm() throws {
        for source in try Self.files(in: "Sources/Baton") {
            let headings = source.matches(of: #/\/\/\/ #+ *Behaviou?rs?\b.*/#).map(\.output)
            #expect(headings.allSatisfy { $0 == "/// ### Behavior" }, "a section has another heading")
            let sections = source.split(separator: "/// ### Behavior").dropFirst()
            for section in sections {
                let next = section.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                    .first { !$0.isEmpty && $0 != "///" }
                #expect(next?.hasPrefix("/// - ") == true, "a section does not begin with a list")
            }
        }
    }

    /// The documentation that has a section, by words of its declaration.
    @Test(arguments: [
        "func fetch<", "func subscribe<", "func commit<", "class PreloadedQuery", "func batch<", "struct ListChanges",
        "struct LoadingAhead", "func settled(", "func render<", "over base: EnvironmentBase",
    ]) func everyPromiseHasASection(_ declaration: String) throws {
        let sources = try Self.files(in: "Sources/Baton")
        #expect(sources.contains { Self.isAfterSection(declaration, in: $0) })
    }

    /// Returns true if the documentation before a declaration of several lines has a section.
    private static func isAfterSection(_ declaration: String, in source: String) -> Bool {
        guard let place = source.firstRange(of: declaration) else { return false }
        let comment = source[..<place.lowerBound].split(separator: "\n").reversed().drop { !$0.contains("///") }
            .prefix { $0.contains("///") }
        return comment.contains { $0.contains("### Behavior") }
    }
}
