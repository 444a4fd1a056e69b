import BatonCompiler
import BatonDiagnostics

/// Judges a project again whenever one of its files changes, and writes nothing.
///
/// Each time the disk is searched, the texts that changed are read and parsed, and all definitions are judged, so that
/// the diagnostics are those of `baton validate`. A second after an event all files are compared once more, because
/// some ways to change a file make no event.
package struct JudgedWatch {
    /// The project, which only searches for folders to watch.
    private let project: Project
    private var judge: ProjectJudge
    private let watch: any FileWatch
    /// The bytes of the files that were read last, by their paths in messages.
    private var texts: [String: [UInt8]] = [:]
    private var diagnostics: [Diagnostic] = []
    private var isFirst = true

    package init(_ project: Project, watch: any FileWatch) {
        self.project = project
        self.watch = watch
        judge = ProjectJudge(
            configuration: project.configurationPath, workingDirectory: project.workingDirectory,
            overrides: project.overrides)
    }

    /// A judgement after which something is different.
    package struct Report {
        /// The compiler that has judged all definitions by all rules.
        package let compiler: Compiler
        /// The files that appeared, changed or disappeared, sorted; empty in the first report.
        package let changedFiles: [String]
        /// The time from the first event until the last rule was applied.
        package let milliseconds: Double
    }

    /// Judges until the watch is stopped. Reports the first judgement, and each after which a text or a diagnostic is
    /// another one.
    package mutating func run(_ report: (Report) -> Void) {
        var start = ContinuousClock.now
        var owesLook = false
        repeat {
            let (compiler, changed) = look()
            if isFirst || !changed.isEmpty || compiler.diagnostics != diagnostics {
                let passed = (ContinuousClock.now - start) / .milliseconds(1)
                report(Report(compiler: compiler, changedFiles: isFirst ? [] : changed, milliseconds: passed))
            }
            diagnostics = compiler.diagnostics
            isFirst = false
        } while waitForChange(&start, &owesLook)
    }

    /// Judges the files as they are now. Folders that appear are watched before their files are compared.
    private mutating func look() -> (compiler: Compiler, changed: [String]) {
        var attempts = 0
        while watch.watch(project.search().folders), attempts < 8 { attempts += 1 }
        let judgement = judge.judge(overlays: [:], looksForFiles: true)
        let compiler = judgement.rest?.compiler() ?? judgement.view.compiler
        let files = compiler.sources.files.filter { $0.derivation == nil }
        let now = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        let changed = Set(now.filter { texts[$0.key] != $0.value }.keys).union(texts.keys.filter { now[$0] == nil })
        texts = now
        return (compiler, changed.sorted())
    }

    /// Waits until the files are to be compared; returns false if the watch was stopped. `owesLook` says whether
    /// nothing has compared them since the last event has come to rest.
    private func waitForChange(_ start: inout ContinuousClock.Instant, _ owesLook: inout Bool) -> Bool {
        while true {
            let event = watch.wait(milliseconds: owesLook ? WatchTimes.rest : nil)
            start = .now
            switch event {
            case .stopped: return false
            case .timeout:
                owesLook = false
                return true
            case .changed:
                guard watch.settle(since: start) else { return false }
                guard Self.matters(watch.takeChanges()) else { continue }
                owesLook = true
                return true
            }
        }
    }

    private static func matters(_ changes: FileChanges) -> Bool {
        guard case .entries(let entries) = changes else { return true }
        return entries.contains { EntryKind(at: $0) != .file || FileFinder.mayBeInput($0.name) }
    }
}
