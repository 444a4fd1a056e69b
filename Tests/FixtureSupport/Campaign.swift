import BatonDiagnostics
import Foundation
import RandomCases

/// The tests with damaged texts. Every test run does a short campaign. A long one runs with:
///
///     BATON_TEST_TIMES=200 BATON_SEED=1 BATON_INPUT=/tmp/input swift test --filter Mutation
///
/// This campaign is 200 times as long and has other damage. It writes the current input to files whose names begin with
/// the path, so that the input of a crash can be found.
package enum Campaign {
    private static let seed = number("BATON_SEED", 0)
    private static let inputPath = ProcessInfo.processInfo.environment["BATON_INPUT"]

    private static func number(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? otherwise
    }

    /// The generator of damage for one part of the campaign.
    package static func damage(_ name: String, splicing others: [[UInt8]] = []) -> Damage {
        Damage(SeededGenerator(name: seed == 0 ? name : "\(name) \(seed)"), splicing: others)
    }

    /// Writes the next input of a part of the campaign to a file.
    package static func note(_ part: String, _ texts: [Fixture.Text]) throws {
        guard let inputPath else { return }
        var bytes: [UInt8] = []
        for text in texts { bytes += Array("#%% \(text.name)\n".utf8) + text.bytes + [0x0A] }
        let name = part.replacing("/", with: "-")
        try Data(bytes).write(to: URL(fileURLWithPath: "\(inputPath)-\(name)"))
    }

    /// The defects that no input may cause: positions outside of the text, diagnostics out of order, or a format that
    /// cannot show the diagnostics. Empty if there are no defects.
    package static func defects(of diagnostics: [Diagnostic], in sources: SourceSet, areSorted: Bool = true) -> [String]
    {
        var defects: [String] = []
        for diagnostic in diagnostics {
            for span in [diagnostic.span] + diagnostic.notes.map(\.span) where span != .none {
                let count = sources[span.source]?.bytes.count ?? -1
                if span.start > span.end || Int(span.end) > count {
                    defects.append("\(span) is outside of its text of \(count) bytes: \(diagnostic)")
                }
            }
            if diagnostic.message.isEmpty || diagnostic.message.contains("\n") {
                defects.append("the message is no line: \(diagnostic)")
            }
        }
        if areSorted, diagnostics.sortedByPosition() != diagnostics { defects.append("out of order: \(diagnostics)") }
        var text = TextRenderer(sources: sources)
        var json = JSONRenderer(sources: sources)
        var gitHub = GitHubRenderer(sources: sources)
        let lines = gitHub.render(diagnostics).split(separator: "\n").count
        if lines != diagnostics.count { defects.append("\(lines) lines for GitHub: \(diagnostics)") }
        let rendered = text.render(diagnostics)
        if rendered.isEmpty != diagnostics.isEmpty { defects.append("rendered as '\(rendered)': \(diagnostics)") }
        let object = try? JSONSerialization.jsonObject(with: Data(json.render(diagnostics).utf8)) as? [String: Any]
        if (object?["diagnostics"] as? [Any])?.count != diagnostics.count { defects.append("no JSON: \(diagnostics)") }
        return defects
    }

    /// Runs the closure. In a long campaign, returns whether the closure took longer than any input may take.
    package static func isSlow(_ run: () throws -> Void) rethrows -> Bool {
        let duration = try ContinuousClock().measure { try run() }
        return RandomCases.times > 1 && duration > .seconds(10)
    }
}
