import BatonCompiler
import BatonProject
import Foundation
import Testing

/// What a project computes again, and that it is what a compiler finds that knows nothing.
struct ProjectTests {
    private static let schema = """
        type Query { film: Film films: [Film] }
        type Film { id: ID! title: String year: Int old: String @deprecated(reason: "no") kind: Kind }
        enum Kind { GOOD BAD }
        """

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let basis = [
            "baton.json": #"{"schema": ["schema.graphql"], "documents": ["documents"], "output": "out"}"#,
            "schema.graphql": Self.schema,
        ]
        return try TemporaryFolder(basis.merging(files) { $1 })
    }

    private func project(_ folder: TemporaryFolder, cache: TemporaryFolder? = nil, program: String = "1") -> Project {
        Project(
            workingDirectory: folder.path, configuration: folder.path.appending("baton.json"), program: program,
            cache: cache.map { ProjectCache(folder: $0.path) })
    }

    /// Runs a round and writes it; returns its extent and the names of the written files.
    private func round(_ project: inout Project) -> (extent: Round.Extent, written: [String]) {
        let round = project.round()
        #expect(project.apply(round, displayed: \.description).isEmpty)
        return (round.extent, round.artifacts?.written.map(\.name) ?? [])
    }

    private static let documents = [
        "documents/a.graphql": "query A { film { ...Row } }", "documents/b.graphql": "query B { film { id kind } }",
        "documents/c.graphql": "query C { films { title } }", "documents/d.graphql": "query D { films { year } }",
        "documents/row.graphql": "fragment Row on Film { id title }",
    ]

    @Test func nothingIsComputedTwice() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        #expect(round(&project).extent == .whole)
        #expect(round(&project).extent == .nothing)
    }

    @Test func anEditWritesWhatItTouches() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        _ = round(&project)
        try folder.write("fragment Row on Film { id year }", to: "documents/row.graphql")
        let (extent, written) = round(&project)
        guard case .part = extent else { return #expect(Bool(false), "\(extent)") }
        #expect(written == ["AQuery.graphql.swift", "Row.graphql.swift"])
    }

    @Test func anotherProcessFindsWhatTheFirstHasLeft() throws {
        let (folder, cache) = (try folder(Self.documents), try TemporaryFolder())
        var first = project(folder, cache: cache)
        _ = round(&first)
        var second = project(folder, cache: cache)
        #expect(round(&second).extent == .nothing)
        try folder.write("query C { films { title year } }", to: "documents/c.graphql")
        var third = project(folder, cache: cache)
        #expect(round(&third).written == ["CQuery.graphql.swift"])
        var other = project(folder, cache: cache, program: "2")
        #expect(round(&other).extent == .whole)
    }

    @Test func aWarningIsSaidAgainWithoutBeingFoundAgain() throws {
        let (folder, cache) = (try folder(Self.documents), try TemporaryFolder())
        try folder.write("query B { film { old } }", to: "documents/b.graphql")
        var first = project(folder, cache: cache)
        let whole = first.round()
        #expect(first.apply(whole, displayed: \.description).isEmpty)
        var second = project(folder, cache: cache)
        let quiet = second.round()
        #expect(quiet.extent == .nothing)
        #expect(quiet.compiler.diagnostics.map(\.message) == whole.compiler.diagnostics.map(\.message))
        #expect(quiet.compiler.diagnostics.map(\.id).contains(.init(rawValue: "deprecated")))
        try folder.write("query C { film { id } }", to: "documents/c.graphql")
        let part = second.round()
        #expect(part.extent != .whole && part.extent != .nothing)
        #expect(part.compiler.diagnostics.map(\.message) == whole.compiler.diagnostics.map(\.message))
    }

    @Test func aDamagedTableIsAsNone() throws {
        let (folder, cache) = (try folder(Self.documents), try TemporaryFolder())
        var first = project(folder, cache: cache)
        _ = round(&first)
        let name = try #require(cache.contents.isEmpty ? tableName(in: cache) : cache.contents.keys.first)
        let path = cache.path.appending(name).description
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(ProjectTable(bytes: bytes) != nil)
        for index in stride(from: 0, to: bytes.count, by: 7) {
            bytes[index] ^= 0x55
            #expect(ProjectTable(bytes: bytes) == nil)
            bytes[index] ^= 0x55
            #expect(ProjectTable(bytes: Array(bytes.prefix(index))) == nil)
        }
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var second = project(folder, cache: cache)
        #expect(round(&second).extent == .whole)
    }

    private func tableName(in cache: TemporaryFolder) -> String? {
        (try? FileManager.default.contentsOfDirectory(atPath: cache.path.description))?.first
    }

    @Test func anArtifactThatSomebodyChangedIsWrittenAgain() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        _ = round(&project)
        let text = try #require(folder.text("out/BQuery.graphql.swift"))
        try folder.write(text + "// more\n", to: "out/BQuery.graphql.swift")
        #expect(round(&project).written == ["BQuery.graphql.swift"])
        #expect(folder.text("out/BQuery.graphql.swift") == text)
        try folder.remove("out/BQuery.graphql.swift")
        #expect(round(&project).written == ["BQuery.graphql.swift"])
    }

    @Test func anErrorWritesNothingAndIsForgottenWithItsCause() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        _ = round(&project)
        let before = folder.contents
        try folder.write("query C { films { nothing } }", to: "documents/c.graphql")
        try folder.write("query D { films { title } }", to: "documents/d.graphql")
        let failed = project.round()
        #expect(failed.compiler.hasErrors && failed.artifacts == nil)
        #expect(project.apply(failed, displayed: \.description).isEmpty)
        #expect(folder.text("out/DQuery.graphql.swift") == before["out/DQuery.graphql.swift"])
        try folder.write("query C { films { title } }", to: "documents/c.graphql")
        #expect(round(&project).written == ["DQuery.graphql.swift"])
    }

    @Test func aTypeThatNothingUsesAnyMoreLosesItsFile() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        _ = round(&project)
        #expect(folder.text("out/Kind.graphql.swift") != nil)
        try folder.write("query B { film { id } }", to: "documents/b.graphql")
        _ = round(&project)
        #expect(folder.text("out/Kind.graphql.swift") == nil)
    }

    @Test func unsavedTextCountsAsTheFile() throws {
        let folder = try folder(Self.documents)
        var project = project(folder)
        _ = round(&project)
        let path = folder.path.appending("documents/c.graphql")
        project.overlays[path] = Array("query C { films { nothing } }".utf8)
        #expect(project.round().compiler.diagnostics.map(\.id.rawValue) == ["unknown-field"])
        project.overlays[path] = Array("query C { films { old } }".utf8)
        #expect(project.round().compiler.diagnostics.map(\.id.rawValue) == ["deprecated"])
        project.overlays = [:]
        #expect(project.round().extent == .nothing)
    }
}
