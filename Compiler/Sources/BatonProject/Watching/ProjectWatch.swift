import BatonCompiler
import BatonDiagnostics

/// Compiles a project again whenever something in it changes.
///
/// A round begins when nothing has happened for `settling` milliseconds, or after `patience` of unrest. It looks at the
/// documents that events name, and at everything if events leave a doubt. After `rest` without an event, everything is
/// looked at once more, because not every way to change a file is an event.
///
/// After an error nothing is written; the next round compares with the last good one.
package struct ProjectWatch {
    package private(set) var project: Project
    private let watch: any FileWatch
    private let displayed: (AbsolutePath) -> String
    /// Whether documents were compared since everything was.
    private var owesLook = false
    /// Whether everything was looked at because of no event.
    private var isLate = false

    private static let settling = 10
    private static let patience = 200
    private static let rest = 1000

    package init(_ project: Project, watch: any FileWatch, displayed: @escaping (AbsolutePath) -> String) {
        self.project = project
        self.project.savesEachRound = false
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
        /// Whether no event had told of what has changed.
        package let isUnannounced: Bool
    }

    /// Carries out rounds until the watch is stopped, and reports each. The first round comes at once.
    package mutating func run(_ report: (Report) -> Void) {
        let clock = ContinuousClock()
        var start = clock.now
        var next: Round? = wholeRound()
        while let round = next {
            var applied = round
            applied.compiler.report(project.apply(round, displayed: displayed))
            let passed = (clock.now - start) / .milliseconds(1)
            let isUnannounced = isLate && applied.extent != .nothing
            report(Report(round: applied, milliseconds: passed, isUnannounced: isUnannounced))
            next = nextRound(&start)
        }
        project.save()
    }

    /// A round over everything. Folders that appear are watched before their files are compared.
    private mutating func wholeRound() -> Round {
        owesLook = false
        var search = project.search()
        var attempts = 0
        while watch.watch(search.folders), attempts < 8 {
            search = project.search()
            attempts += 1
        }
        return project.round(search)
    }

    /// Waits for changes, and computes the round after them. Nil if the watch is stopped.
    private mutating func nextRound(_ start: inout ContinuousClock.Instant) -> Round? {
        var mayRest = true
        isLate = false
        while true {
            let event = watch.wait(milliseconds: mayRest ? Self.rest : nil)
            start = .now
            switch event {
            case .stopped: return nil
            case .timeout:
                project.save()
                mayRest = false
                guard owesLook else { continue }
                isLate = true
                return wholeRound()
            case .changed:
                guard settle(since: start) else { return nil }
                switch watch.takeChanges() {
                case .unknown: return wholeRound()
                case .entries(let entries):
                    guard let documents = project.documents(among: entries) else { return wholeRound() }
                    if documents.isEmpty { continue }
                    owesLook = true
                    return project.round(changing: documents)
                }
            }
        }
    }

    /// Waits until nothing happens any more, or for long enough. False if the watch is stopped.
    private func settle(since start: ContinuousClock.Instant) -> Bool {
        while (.now - start) / .milliseconds(1) < Double(Self.patience) {
            switch watch.wait(milliseconds: Self.settling) {
            case .stopped: return false
            case .timeout: return true
            case .changed: continue
            }
        }
        return true
    }
}
