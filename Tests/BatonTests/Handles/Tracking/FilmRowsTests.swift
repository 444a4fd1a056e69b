import Foundation
import Testing

@testable import Baton

/// The rows of the guide, as a component of the application would have them.
@Suite(.timeLimit(.minutes(20))) struct FilmRowsTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FilmRows.swift")
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Sources/Baton/Baton.docc/RenderingByTracking.md").standardized

    private static func component() throws -> Substring {
        let text = try String(contentsOf: source, encoding: .utf8)
        let start = try #require(text.firstRange(of: "actor FilmRows {"))
        return text[start.lowerBound...]
    }

    @Test func theRowsAreDrawnAgainWhenTheirDataChanges() async throws {
        let stage = Stage()
        let handle = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = handle.get()
        await stage.answer(Films.list(2))
        let films = try #require(handle.result.data?.films).compactMap { $0?.row }
        let frames = Guarded<[[String]]>([])
        let rows = FilmRows(in: stage.environment) { lines in frames.withLock { $0.append(lines) } }
        await rows.draw(films)
        let environment = stage.environment
        try environment.update { try $0.get("1")?.setValue(true, forField: "favourite") }
        await stage.settle()
        try environment.update { try $0.get("2")?.setValue("two", forField: "title") }
        await stage.settle()
        // The rows do not show the rating.
        try environment.update { try $0.get("1")?.setValue(1, forField: "rating") }
        await stage.settle()
        let shown = frames.withLock { $0 }.map { $0.map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(shown.last == ["* Film 1", "two"])
        #expect(shown.count == 3)
        withExtendedLifetime(rows) {}
    }

    @Test func theComponentTakesAtMost25Lines() throws {
        let lines = try Self.component().split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines.count <= 25)
        #expect(lines.last == "}")
    }

    @Test func theGuideQuotesTheComponent() throws {
        let guide = try String(contentsOf: Self.guide, encoding: .utf8)
        #expect(guide.contains(try Self.component()))
    }
}
