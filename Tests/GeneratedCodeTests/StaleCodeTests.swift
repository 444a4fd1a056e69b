// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if DEBUG
    import Baton
    import Foundation
    import Synchronization
    import Testing

    /// Generated files are compared with the definitions from which they were made.
    @Suite struct StaleCodeTests {
        /// A copy of this folder that a test may change.
        private final class Copy: Sendable {
            let folder: URL

            init() throws {
                let original = URL(filePath: #filePath).deletingLastPathComponent()
                folder = URL.temporaryDirectory.appending(path: "stale-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for name in ["__generated__", "Documents", "FilmList.swift", "FilmRow.swift"] {
                    try FileManager.default.copyItem(
                        at: original.appending(path: name), to: folder.appending(path: name))
                }
            }

            deinit { try? FileManager.default.removeItem(at: folder) }

            func file(of type: String) -> String { folder.path() + "/__generated__/\(type).graphql.swift" }

            /// Returns the names of the edited definitions for the file of a Swift type.
            func changed(_ type: String) -> Set<String> {
                Set(SourceComparison.changedDefinitions(ofGeneratedFile: file(of: type)).map(\.name))
            }

            func edit(_ source: String, _ change: (String) -> String) throws {
                let url = folder.appending(path: source)
                let text = change(try String(contentsOf: url, encoding: .utf8))
                try text.write(to: url, atomically: true, encoding: .utf8)
            }

            /// Returns the entries of the headers: Swift type, source, keyword and name.
            func definitions() throws -> [(type: String, source: String, head: String, name: String)] {
                let generated = folder.appending(path: "__generated__")
                return try FileManager.default.contentsOfDirectory(atPath: generated.path()).sorted().compactMap {
                    file in
                    let text = try String(contentsOf: generated.appending(path: file), encoding: .utf8)
                    guard let match = text.firstMatch(of: /Source: (\w+) (\w+) \w{16} in (.*)\n/)
                    else {
                        return nil
                    }
                    return (
                        String(file.dropLast(".graphql.swift".count)), String(match.3), "\(match.1) \(match.2)",
                        String(match.2)
                    )
                }
            }
        }

        @Test func aChangeOfAnyDefinitionIsFoundAndNothingElse() throws {
            let copy = try Copy()
            let definitions = try copy.definitions()
            #expect(definitions.count >= 24)
            for definition in definitions { #expect(copy.changed(definition.type) == []) }
            for definition in definitions {
                let url = copy.folder.appending(path: definition.source)
                let original = try String(contentsOf: url, encoding: .utf8)
                let head = try #require(original.range(of: definition.head + "\\b", options: .regularExpression))
                func text(with addition: String) -> String {
                    original.replacingCharacters(in: head, with: definition.head + addition)
                }
                try copy.edit(definition.source) { _ in text(with: " @added") }
                #expect(copy.changed(definition.type).contains(definition.name), "\(definition.head)")
                // Layout, commas, comments and the Swift code around a literal do not count as changes.
                try copy.edit(definition.source) { _ in "\n" + text(with: "\r\n  # It's \"}\n ,,\t") + "\n\n" }
                #expect(copy.changed(definition.type) == [], "\(definition.head)")
                try copy.edit(definition.source) { _ in original }
            }
        }

        @Test func aChangeOfAFragmentIsFoundThroughItsSpreads() throws {
            let copy = try Copy()
            try copy.edit("FilmRow.swift") { $0.replacing("title", with: "title released") }
            #expect(copy.changed("FilmListQuery") == ["FilmRow_film"])
            #expect(copy.changed("FilmRow_film") == ["FilmRow_film"])
            #expect(copy.changed("HeroNameQuery") == [])
        }

        @Test func missingDefinitionsAreNotCompared() throws {
            let copy = try Copy()
            #expect(copy.changed("Nothing") == [])
            #expect(SourceComparison.changedDefinitions(ofGeneratedFile: "") == [])
            #expect(SourceComparison.changedDefinitions(ofGeneratedFile: copy.folder.path()) == [])
            // A definition that is gone, or whose old text stands beside a new text, is not reported.
            try copy.edit("FilmRow.swift") { "/* fragment FilmRow_film { added } */\n" + $0 }
            #expect(copy.changed("FilmRow_film") == [])
            try copy.edit("FilmRow.swift") { _ in "fragment FilmRow_film on Film { \"" }
            #expect(copy.changed("FilmRow_film") == [])
            try FileManager.default.removeItem(at: copy.folder.appending(path: "FilmRow.swift"))
            #expect(copy.changed("FilmRow_film") == [])
            try copy.edit("__generated__/HeroNameQuery.graphql.swift") { $0.replacing(" Source: ", with: " ") }
            try copy.edit("Documents/Characters.graphql") {
                $0.replacing("query HeroName", with: "query HeroName @added")
            }
            #expect(copy.changed("HeroNameQuery") == [])
        }

        private static let stale = try? Copy()

        /// An operation whose file is in a copy of this folder.
        private struct StaleQuery: GraphQLQuery {
            static let artifact = GeneratedCode.OperationArtifact(
                name: "FilmListQuery", kind: .query, text: FilmListQuery.artifact.text, normalization: "{}",
                reader: "{}",
                file: stale?.file(of: "FilmListQuery") ?? "")
            struct Data: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
            }
            typealias Variables = FilmListQuery.Variables
            var variables = Variables()
        }

        @Test(.timeLimit(.minutes(20)))
        func theLogHearsOnceForEachOperation() async throws {
            let copy = try #require(Self.stale)
            defer { try? FileManager.default.removeItem(at: copy.folder) }
            try copy.edit("FilmRow.swift") { $0.replacing("title", with: "title released") }
            let (events, continuation) = AsyncStream.makeStream(of: LogEvent.self)
            let notes = Atomic(0)
            let environment = RelayEnvironment(network: CannedNetwork(#"{"data": {}}"#)) { event in
                if case .staleGeneratedCode = event { notes.add(1, ordering: .relaxed) }
                continuation.yield(event)
            }
            for _ in 0..<3 {
                _ = try await environment.fetch(StaleQuery())
                // A program may end with its first result.
                #expect(notes.load(ordering: .relaxed) == 1)
            }
            // Up-to-date code gives no event.
            _ = try? await environment.fetch(HeroNameQuery())
            for await event in events {
                guard case .staleGeneratedCode(let event) = event else { continue }
                #expect(event.operationName == "FilmListQuery")
                #expect(event.definitions == [.init(name: "FilmRow_film", source: "FilmRow.swift")])
                #expect(
                    "\(event)" == "operation 'FilmListQuery' runs as it was generated, but its source has changed: "
                        + "'FilmRow_film' in FilmRow.swift; run 'baton compile'")
                break
            }
            withExtendedLifetime(environment) {}
        }
    }
#endif
