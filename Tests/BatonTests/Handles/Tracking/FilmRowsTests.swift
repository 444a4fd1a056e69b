import Foundation
import Testing

@testable import Baton

/// The row with a badge of the guide, as a component of the application would be.
@Suite(.timeLimit(.minutes(10))) struct BadgeRowTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "BadgeRow.swift")
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Sources/Baton/Baton.docc/RenderingByTracking.md").standardized

    private static func component() throws -> Substring {
        let text = try String(contentsOf: source, encoding: .utf8)
        let start = try #require(text.firstRange(of: "actor Row {"))
        return text[start.lowerBound...]
    }

    @Test func theRowIsDrawnAgainWhenItsDataChanges() async throws {
        let stage = Stage()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let film = try #require(handle.result.data?.film?.row)
        let lines = Guarded<[String]>([])
        let row = Row(film, in: stage.environment) { line in lines.withLock { $0.append(line) } }
        await row.draw()
        let environment = stage.environment
        try environment.update { try $0.get("1")?.setValue(true, forField: "favourite") }
        await stage.settle()
        try environment.update { try $0.get("1")?.setValue("two", forField: "title") }
        await stage.settle()
        // The row does not show the rating.
        try environment.update { try $0.get("1")?.setValue(1, forField: "rating") }
        await stage.settle()
        #expect(lines.withLock { $0 } == ["  one", "* one", "* two"])
        withExtendedLifetime(row) {}
    }

    @Test func theRowTakesAtMost25Lines() throws {
        let lines = try Self.component().split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines.count <= 25)
        #expect(lines.last == "}")
    }

    @Test func theGuideQuotesTheRow() throws {
        let guide = try String(contentsOf: Self.guide, encoding: .utf8)
        #expect(guide.contains(try Self.component()))
    }
}
