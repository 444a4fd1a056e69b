import BatonDiagnostics
import Foundation
import Testing

/// One fixture: `<name>.graphql` beside `<name>.expected`.
///
/// The input may hold several texts, apart by lines `#%% name`; what comes before the first such line is the text
/// `document.graphql`. The expected file has INPUT and then OUTPUT, or ERROR where the input has errors.
struct Fixture: Sendable, CustomTestStringConvertible {
    let topic: String
    let url: URL

    var name: String { url.deletingPathExtension().lastPathComponent }
    var testDescription: String { "\(topic)/\(name)" }
    /// Whether the file says by its name that it has errors.
    var isInvalid: Bool { name.hasSuffix(".invalid") }
    var expectedURL: URL { url.deletingPathExtension().appendingPathExtension("expected") }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    static func all(in topic: String) -> [Fixture] {
        files(in: topic).filter { $0.pathExtension == "graphql" }.map { Fixture(topic: topic, url: $0) }
    }

    static func files(in topic: String) -> [URL] {
        let folder = root.appendingPathComponent(topic)
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: url))
    }

    /// The texts of the fixture by name.
    func texts() throws -> [(name: String, bytes: [UInt8])] {
        var texts: [(name: String, bytes: [UInt8])] = []
        var name = "document.graphql"
        var current: [UInt8] = []
        for line in try bytes().split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: Array("#%% ".utf8)) {
                if !current.allSatisfy({ $0 == 0x0A || $0 == 0x20 }) { texts.append((name, current)) }
                name = String(decoding: line.dropFirst(4), as: UTF8.self)
                current = []
            } else {
                current += line + [0x0A]
            }
        }
        if current.last == 0x0A { current.removeLast() }
        texts.append((name, current))
        return texts
    }
}

/// What came of a fixture.
struct Outcome {
    var hasErrors: Bool
    var text: String
}

/// Compares outcomes with expected files, or records them with `UPDATE_FIXTURES=1`, which ends red.
enum FixtureRunner {
    static let isRecording = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"

    static func check(_ fixture: Fixture, _ outcome: Outcome) throws {
        let input = String(decoding: try fixture.bytes(), as: UTF8.self)
        var actual = "INPUT\n\(input)"
        if !actual.hasSuffix("\n") { actual += "\n" }
        actual += outcome.hasErrors ? "ERROR\n" : "OUTPUT\n"
        actual += outcome.text
        if !actual.hasSuffix("\n") { actual += "\n" }

        #expect(
            outcome.hasErrors == fixture.isInvalid,
            "\(fixture.testDescription): the name says \(fixture.isInvalid ? "invalid" : "valid")\n\(outcome.text)"
        )
        if isRecording {
            let recorded = try? String(contentsOf: fixture.expectedURL, encoding: .utf8)
            if recorded != actual {
                try actual.write(to: fixture.expectedURL, atomically: true, encoding: .utf8)
                Issue.record("recorded \(fixture.testDescription)")
            }
            return
        }
        let expected = (try? String(contentsOf: fixture.expectedURL, encoding: .utf8)) ?? "(no expected file)"
        #expect(actual == expected, "\(fixture.testDescription) differs:\n\(difference(expected, actual))")
    }

    private static func difference(_ expected: String, _ actual: String) -> String {
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        var output = ""
        for change in actualLines.difference(from: expectedLines) {
            switch change {
            case .remove(_, let line, _): output += "- \(line)\n"
            case .insert(_, let line, _): output += "+ \(line)\n"
            }
        }
        return output
    }
}
