import BatonCompiler
import BatonDiagnostics

/// Compiles a project again whenever one of its files changes.
///
/// A round begins when events have come to rest, as `WatchTimes` says. It compares the documents that events name, and
/// all files if the events do not say enough. After a while without an event, a round compares all files once more,
/// because some ways to change a file make no event.
///
/// A round with an error writes nothing, and the next round compares the files with the last good round.
package struct ProjectWatch {
    package private(set) var project: Project
    private let watch: any FileWatch
    private let displayed: (AbsolutePath) -> String
    /// Whether a round has compared documents alone since the last round that compared all files.
    private var owesLook = false
    /// Whether the last comparison of all files was made after a rest, and not because of an event.
    private var isLate = false

    package init(_ project: Project, watch: any FileWatch, displayed: @escaping (AbsolutePath) -> String) {
        self.project = project
        self.project.savesEachRound = false
        self.watch = watch
        self.displayed = displayed
    }

    /// The system's watch; a watch that compares all files if the system has none.
    package static func standard(stop: WakePipe) -> any FileWatch {
        #if os(Linux)
            if let watch = InotifyWatch(stop: stop) { return watch }
        #endif
        return PollingWatch(stop: stop)
    }

    /// A round that was carried out.
    package struct Report {
        package let round: Round
        /// The time from the first event until the last byte was written.
        package let milliseconds: Double
        /// Whether the round has found a change about which no event told.
        package let isUnannounced: Bool
    }

    /// Carries out rounds until the watch is stopped, and reports each round. The first round begins at once.
    package mutating func run(_ report: (Report) -> Void) {
        let clock = ContinuousClock()
        var start = clock.now
        var next: Round? = wholeRound()
        while let round = next {
            var applied = round
            project.addBuilders(to: &applied)
            applied.compiler.report(project.apply(applied, displayed: displayed))
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

    /// Waits for changes, and computes the round after them; returns nil if the watch was stopped.
    private mutating func nextRound(_ start: inout ContinuousClock.Instant) -> Round? {
        var mayRest = true
        isLate = false
        while true {
            let event = watch.wait(milliseconds: mayRest ? WatchTimes.rest : nil)
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
                guard watch.settle(since: start) else { return nil }
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
}
