import Foundation

/// The folder `Fixtures` beside the tests of a stage, with its topics.
package struct FixtureFolder: Sendable {
    package let url: URL
    /// The paths of the topics below the folder; no two folders share a path.
    package let topics: [String]

    package static let syntax = FixtureFolder("BatonSyntaxTests", topics: ["lexer", "parser", "printer"])
    package static let schema = FixtureFolder("BatonSchemaTests", topics: ["schema"])
    /// One topic for each rule.
    package static let validation = FixtureFolder("BatonValidationTests", topicsBelow: "validation")
    package static let compiler = FixtureFolder("BatonCompilerTests", topics: ["transforms", "codegen"])

    /// The folders of the stages that decide whether a text is valid.
    package static let frontEnd = [syntax, schema, validation]

    private init(_ target: String, topics: [String]) {
        url = Self.url(of: target)
        self.topics = topics
    }

    private init(_ target: String, topicsBelow folder: String) {
        let topics = Self.files(in: Self.url(of: target).appendingPathComponent(folder)).filter(\.hasDirectoryPath)
        self.init(target, topics: topics.map { folder + "/" + $0.lastPathComponent }.sorted())
    }

    package var fixtures: [Fixture] { topics.flatMap(fixtures) }

    package func fixtures(of topic: String) -> [Fixture] {
        Self.files(in: url.appendingPathComponent(topic)).filter { $0.pathExtension == "graphql" }
            .sorted { $0.path < $1.path }.map { Fixture(topic: topic, url: $0) }
    }

    /// The paths of files that are neither fixtures nor their expected files, and that are not in `others` or below a
    /// folder in `others`.
    package func unclaimedFiles(besides others: [URL] = []) throws -> [String] {
        let others = others.map(\.standardizedFileURL.path)
        let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
        guard let files else { throw CocoaError(.fileReadUnknown) }
        return files.filter { !$0.hasDirectoryPath }.map(\.standardizedFileURL).filter { file in
            if others.contains(where: { file.path == $0 || file.path.hasPrefix($0 + "/") }) { return false }
            let topic = file.deletingLastPathComponent().path.dropFirst(url.standardizedFileURL.path.count + 1)
            let document = file.deletingPathExtension().appendingPathExtension("graphql").path
            let isFixture = file.pathExtension == "graphql"
            let isExpected = file.pathExtension == "expected" && FileManager.default.fileExists(atPath: document)
            return !topics.contains(String(topic)) || !isFixture && !isExpected
        }.map(\.path).sorted()
    }

    private static func url(of target: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(target).appendingPathComponent("Fixtures")
    }

    private static func files(in folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
}

extension Fixture {
    /// The fixtures of a topic of any folder, by name.
    package static func all(in topic: String) -> [Fixture] {
        let folders = FixtureFolder.frontEnd + [.compiler]
        return folders.first { $0.topics.contains(topic) }?.fixtures(of: topic) ?? []
    }
}
