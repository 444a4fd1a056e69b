import BatonCompiler
import BatonProject
import Foundation
import Testing

/// `--watch` over real folders. Each test edits, and waits until what was generated is what it must be.
@Suite(.serialized) struct ProjectWatchTests {
    private static let files = [
        "baton.json": #"{"schema": ["schema.graphql"], "documents": ["documents"], "output": "out"}"#,
        "schema.graphql": "type Query { a: Int b: Int c: Int }",
        "documents/one.graphql": "query One { a }", "documents/two.graphql": "query Two { a }",
    ]

    @Test func aSavedDocumentIsCompiled() throws {
        let watched = try WatchedProject(Self.files)
        try watched.folder.write("query One { a b }", to: "documents/one.graphql")
        #expect(watched.reaches { $0.text("out/OneQuery.graphql.swift")?.contains("var b:") == true })
        #expect(watched.stop())
    }

    #if os(Linux)
        /// Without other files that change, a document that is written in place is an event.
        @Test func aFileThatIsWrittenInPlaceIsAnEvent() throws {
            let folder = try TemporaryFolder(["one.graphql": "query One { a }"])
            let stop = try #require(WakePipe())
            let watch = try #require(InotifyWatch(stop: stop))
            _ = watch.watch([folder.path])
            let file = try #require(FileHandle(forWritingAtPath: folder.path.appending("one.graphql").description))
            try file.write(contentsOf: Data("query One { b }".utf8))
            try file.close()
            #expect(watch.wait(milliseconds: 10_000) == .changed)
            #expect(watch.wait(milliseconds: 0) == .timeout)
            #expect(watch.takeChanges() == .entries([folder.path.appending("one.graphql")]))
            #expect(watch.takeChanges() == .entries([]))
        }

        @Test func anEventTellsItsEntryInEachFolderThatLeadsThere() throws {
            let folder = try TemporaryFolder(["real/one.graphql": "query One { a }"])
            let link = folder.path.appending("link")
            _ = symlink("real", link.description)
            let stop = try #require(WakePipe())
            let watch = try #require(InotifyWatch(stop: stop))
            _ = watch.watch([folder.path.appending("real"), link])
            try folder.remove("real/one.graphql")
            #expect(watch.wait(milliseconds: 10_000) == .changed)
            let wanted = [folder.path.appending("real"), link].map { $0.appending("one.graphql") }
            #expect(watch.takeChanges() == .entries(Set(wanted)))
        }

        @Test func whatIsMoreThanAFileInAFolderLeavesADoubt() throws {
            let events: [(TemporaryFolder) throws -> Void] = [
                { try $0.write("query One { a }", to: "documents/new/one.graphql") },
                { try $0.remove("documents/old") },
                { _ = rename($0.path.appending("documents").description, $0.path.appending("d").description) },
                { try $0.remove("documents") },
            ]
            for event in events {
                let folder = try TemporaryFolder(["documents/old/two.graphql": "query Two { a }"])
                let stop = try #require(WakePipe())
                let watch = try #require(InotifyWatch(stop: stop))
                _ = watch.watch([folder.path.appending("documents")])
                try event(folder)
                #expect(watch.wait(milliseconds: 10_000) == .changed)
                #expect(watch.takeChanges() == .unknown)
            }
        }
    #endif

    @Test func anEditorThatSavesByRenamingIsSeen() throws {
        let watched = try WatchedProject(Self.files)
        for field in ["b", "c", "a b", "b c"] {
            try watched.folder.write("query One { \(field) }", to: "one.tmp")
            _ = rename(
                watched.folder.path.appending("one.tmp").description,
                watched.folder.path.appending("documents/one.graphql").description)
            let wanted = try WatchedProject.artifact("query One { \(field) }", of: "documents/one.graphql", Self.files)
            #expect(watched.reaches { $0.text("out/OneQuery.graphql.swift") == wanted })
        }
        #expect(watched.stop())
    }

    @Test func foldersComeAndGo() throws {
        let watched = try WatchedProject(Self.files)
        try watched.folder.write("query Deep { c }", to: "documents/new/deep/three.graphql")
        #expect(watched.reaches { $0.text("out/DeepQuery.graphql.swift") != nil })
        try watched.folder.write("query Deep { c b }", to: "documents/new/deep/three.graphql")
        #expect(watched.reaches { $0.text("out/DeepQuery.graphql.swift")?.contains("var b:") == true })
        try watched.folder.remove("documents/new")
        #expect(watched.reaches { $0.text("out/DeepQuery.graphql.swift") == nil })
        try watched.folder.write("query Again { c }", to: "documents/new/deep/three.graphql")
        #expect(watched.reaches { $0.text("out/AgainQuery.graphql.swift") != nil })
        #expect(watched.stop())
    }

    @Test func aBurstOfFilesIsCompiled() throws {
        let watched = try WatchedProject(Self.files)
        for index in 0..<300 { try watched.folder.write("query N\(index) { b }", to: "documents/n/\(index).graphql") }
        #expect(
            watched.reaches { folder in
                (0..<300).allSatisfy { folder.text("out/N\($0)Query.graphql.swift") != nil }
            })
        #expect(watched.stop())
    }

    @Test func theLastGoodArtifactsStayUntilAnErrorIsGone() throws {
        let watched = try WatchedProject(Self.files)
        let before = watched.folder.text("out/OneQuery.graphql.swift")
        try watched.folder.write("query One { nothing }", to: "documents/one.graphql")
        #expect(watched.reports { $0.compiler.hasErrors })
        #expect(watched.folder.text("out/OneQuery.graphql.swift") == before)
        try watched.folder.write("query One { c }", to: "documents/one.graphql")
        #expect(watched.reports { !$0.compiler.hasErrors })
        #expect(watched.reaches { $0.text("out/OneQuery.graphql.swift")?.contains("var c:") == true })
        #expect(watched.stop())
    }

    @Test func aChangedSchemaOrConfigurationCountsForEverything() throws {
        let watched = try WatchedProject(Self.files)
        try watched.folder.write("type Query { a: String b: Int c: Int }", to: "schema.graphql")
        #expect(watched.reaches { $0.text("out/OneQuery.graphql.swift")?.contains("String?") == true })
        try watched.folder.write(
            #"{"schema": ["schema.graphql"], "documents": ["documents"], "output": "elsewhere"}"#, to: "baton.json")
        #expect(watched.reaches { $0.text("elsewhere/TwoQuery.graphql.swift") != nil })
        #expect(watched.stop())
    }

    @Test func whatSomebodyRemovesIsWrittenAgain() throws {
        let watched = try WatchedProject(Self.files)
        try watched.folder.remove("out")
        #expect(watched.reaches { $0.text("out/OneQuery.graphql.swift") != nil })
        #expect(watched.stop())
    }
}

/// A project that a thread watches.
private final class WatchedProject: @unchecked Sendable {
    let folder: TemporaryFolder
    private let wake: WakePipe
    private let condition = NSCondition()
    private var rounds: [Round] = []
    private var seen = 0
    private var isDone = false

    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
        wake = try #require(WakePipe())
        let (path, wake) = (folder.path, wake)
        let thread = Thread { [weak self] in
            let project = Project(
                workingDirectory: path, configuration: path.appending("baton.json"), program: "test")
            var watch = ProjectWatch(
                project, watch: ProjectWatch.standard(stop: wake), displayed: \.description)
            watch.run { self?.add($0.round) }
            self?.end()
        }
        thread.stackSize = 1 << 23
        thread.start()
        _ = reaches { $0.text("out/TwoQuery.graphql.swift") != nil }
    }

    /// What a compiler that knows nothing makes of a file.
    static func artifact(_ text: String, of name: String, _ files: [String: String]) throws -> String? {
        let folder = try TemporaryFolder(files.merging([name: text]) { $1 })
        var project = Project(
            workingDirectory: folder.path, configuration: folder.path.appending("baton.json"), program: "test")
        _ = project.apply(project.round(), displayed: \.description)
        return folder.text("out/OneQuery.graphql.swift")
    }

    private func add(_ round: Round) {
        condition.withLock {
            rounds.append(round)
            condition.broadcast()
        }
    }

    private func end() {
        condition.withLock {
            isDone = true
            condition.broadcast()
        }
    }

    /// Whether the files become so; looks after each round, and gives up after a long time.
    func reaches(_ isReached: (TemporaryFolder) -> Bool) -> Bool {
        wait { isReached(folder) }
    }

    /// Whether there is such a round after the last one that was asked for.
    func reports(_ isWanted: (Round) -> Bool) -> Bool {
        wait {
            guard let index = rounds.indices.dropFirst(seen).first(where: { isWanted(rounds[$0]) }) else {
                return false
            }
            seen = index + 1
            return true
        }
    }

    /// Ends the watch; whether it has ended.
    func stop() -> Bool {
        wake.wake()
        return wait { isDone }
    }

    private func wait(for isReached: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        condition.lock()
        defer { condition.unlock() }
        while !isReached() {
            if !condition.wait(until: end) { return isReached() }
        }
        return true
    }
}
