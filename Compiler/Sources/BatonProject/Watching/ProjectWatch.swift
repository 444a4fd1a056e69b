import BatonCompiler
import BatonDiagnostics

/// Compiles a project again whenever something in it changes.
///
/// A round begins when nothing has happened for `settling` milliseconds, or after `patience` of unrest. What changed is
/// found by the project, not by the watch. After an error nothing is written; the next round compares with the last
/// good one.
package struct ProjectWatch {
    package private(set) var project: Project
    private let watch: any FileWatch
    private let displayed: (AbsolutePath) -> String

    private static let settling = 10
    private static let patience = 200

    package init(_ project: Project, watch: any FileWatch, displayed: @escaping (AbsolutePath) -> String) {
        self.project = project
        self.watch = watch
        self.displayed = displayed
    }

    /// The system's watch, or else one that looks by itself.
    package static func standard(stop: WakePipe) -> any FileWatch {
        #if os(Linux)
            if let watch = InotifyWatch(stop: stop) { return watch }
        #endif
        return PollingWatch(stop: stop)
    }

    /// A round that was carried out.
    package struct Report {
        package let round: Round
        /// From the first event to the last byte written.
        package let milliseconds: Double
    }

    /// Carries out rounds until the watch is stopped, and reports each. The first round comes at once.
    package mutating func run(_ report: (Report) -> Void) {
        let clock = ContinuousClock()
        var start = clock.now
        while true {
            // Folders that appear are watched before their files are compared.
            var round = project.round()
            var attempts = 0
            while watch.watch(round.folders), attempts < 8 {
                round = project.round()
                attempts += 1
            }
            round.compiler.report(project.apply(round, displayed: displayed))
            let passed = (clock.now - start) / .milliseconds(1)
            report(Report(round: round, milliseconds: passed))
            guard watch.wait(milliseconds: nil) == .changed else { return }
            start = clock.now
            while (clock.now - start) / .milliseconds(1) < Double(Self.patience) {
                let event = watch.wait(milliseconds: Self.settling)
                if event == .stopped { return }
                if event == .timeout { break }
            }
        }
    }
}
