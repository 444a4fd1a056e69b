import BatonCommand
import Foundation
import Testing

/// The commands and requests in the guides.
struct GuideRecipeTests {
    private static func guide(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Sources/Baton/Baton.docc/\(name)"), encoding: .utf8)
    }

    /// Every server understands the guide's request for a schema.
    @Test func theRequestForASchemaIsValid() throws {
        let page = try Self.guide("CompilingDocuments.md")
        let body = try #require(page.firstMatch(of: /-o schema.json -d '([^']+)'/)).1
        let request = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: String]
        let query = try #require(request?["query"])
        let folder = try TemporaryFolder(["s.graphql": CommandTests.schema, "Ask.graphql": query])
        let outcome = CommandTests.run("validate --schema s.graphql --documents Ask.graphql", in: folder)
        #expect(outcome.errors == "")
        #expect(outcome.status == .success)
    }
}
