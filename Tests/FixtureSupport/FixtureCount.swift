import Foundation
import Synchronization

/// Statistics of the fixtures, counted in their files.
package struct FixtureCount: Sendable {
    /// The number of topics below `validation`; each is a rule.
    package private(set) var rules = 0
    package private(set) var files = 0
    package private(set) var cases = 0
    /// The number of expected diagnostics, by id.
    package private(set) var diagnostics: [String: Int] = [:]

    package init(_ folders: [FixtureFolder]) throws {
        rules = folders.flatMap(\.topics).count { $0.hasPrefix("validation/") }
        for fixture in folders.flatMap(\.fixtures) {
            files += 1
            if fixture.holdsCases { cases += try fixture.inputs().count }
            for line in try String(contentsOf: fixture.expectedURL, encoding: .utf8).split(separator: "\n") {
                if let match = line.firstMatch(of: /(error|warning): .* \[([a-z0-9-]+)\]$/) {
                    diagnostics[String(match.output.2), default: 0] += 1
                }
            }
        }
    }

    /// One line for the end of a test run.
    package var line: String {
        "fixtures: \(rules) rules, \(files) files, \(cases) cases, \(diagnostics.count) ids, "
            + "\(diagnostics.values.reduce(0, +)) diagnostics"
    }

    /// Prints the line when the process ends, after the output of the tests.
    package func printAtExit() {
        Self.lineAtExit.withLock { $0 = line }
        _ = Self.registered
    }

    private static let lineAtExit = Mutex("")
    private static let registered: Void = {
        atexit { FixtureCount.lineAtExit.withLock { print($0) } }
    }()
}
