import BatonDiagnostics
import Foundation

/// The result of one input.
package struct Outcome {
    package var diagnostics: [Diagnostic]
    /// The diagnostics in text format.
    package var rendered: String
    /// The text that the expected file of an ordinary fixture shows.
    package var text: String

    /// Renders the diagnostics. `text` derives the text of the outcome from them; by default it is the diagnostics
    /// alone.
    package init(_ diagnostics: [Diagnostic], _ sources: SourceSet, text: (String) -> String = { $0 }) {
        var renderer = TextRenderer(sources: sources)
        self.init(diagnostics, rendered: renderer.render(diagnostics), text: text)
    }

    package init(_ diagnostics: [Diagnostic], rendered: String, text: (String) -> String = { $0 }) {
        self.diagnostics = diagnostics
        self.rendered = rendered
        self.text = text(rendered)
    }
}

/// Compares outcomes with expected files. With `UPDATE_FIXTURES=1` it records them instead and lets the test fail.
package enum FixtureRunner {
    package static let isRecording = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"

    /// Runs every input of a fixture; returns the differences from the expected file.
    package static func check(_ fixture: Fixture, _ run: ([Fixture.Text]) throws -> Outcome) throws -> [String] {
        var problems: [String] = []
        var actual = ""
        if fixture.holdsCases {
            var titles: Set<String> = []
            for input in try fixture.inputs() {
                let title = input.title ?? ""
                let outcome = try run(input.texts)
                if !titles.insert(title).inserted { problems.append("'\(title)' is there twice") }
                if outcome.diagnostics.count != 1 {
                    problems.append("'\(title)' gives \(outcome.diagnostics.count) diagnostics\n\(outcome.rendered)")
                }
                actual += "#== \(title)\n\(outcome.rendered)"
            }
            if titles.isEmpty { problems.append("there are no cases") }
        } else {
            let outcome = try run(try fixture.inputs().flatMap(\.texts))
            let hasErrors = outcome.diagnostics.hasErrors
            actual = ended("INPUT\n" + String(decoding: try fixture.bytes(), as: UTF8.self))
            actual += ended((hasErrors ? "ERROR\n" : "OUTPUT\n") + outcome.text)
            if hasErrors != fixture.isInvalid {
                problems.append("the name says \(fixture.isInvalid ? "invalid" : "valid")\n\(outcome.text)")
            }
        }
        let recorded = try? String(contentsOf: fixture.expectedURL, encoding: .utf8)
        if recorded == actual { return problems.map { "\(fixture): \($0)" } }
        if isRecording {
            try actual.write(to: fixture.expectedURL, atomically: true, encoding: .utf8)
            problems.append("recorded")
        } else {
            problems.append("differs:\n\(difference(recorded ?? "(no expected file)", actual))")
        }
        return problems.map { "\(fixture): \($0)" }
    }

    private static func ended(_ text: String) -> String {
        text.hasSuffix("\n") ? text : text + "\n"
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
