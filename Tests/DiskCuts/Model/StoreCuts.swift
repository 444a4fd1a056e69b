import Baton
import BatonSQLite
import RandomCases
import StoreModel

/// A random history of a store over a file, and cuts of the power in it.
package struct StoreCuts {
    private let folder: TemporaryFolder
    private let path: String
    private let history: DiskHistory
    package let trace: FileTrace
    /// The notes of the file at each state that was written, by the state's position.
    private let notes: [Int: [CutDisk.Notes]]
    /// True if the file is written on its own thread, so that nobody knows which states it has had.
    private let isWrittenByItself: Bool

    /// Performs a history.
    ///
    /// - Parameter isWrittenByItself: Whether the file is written on its own thread soon after a publish too, as it is
    ///   in an app.
    package init(
        seed: some BinaryInteger, steps: Int, isWrittenByItself: Bool = false, isTraced: Bool = false
    ) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/store.sqlite"
        self.isWrittenByItself = isWrittenByItself
        try WatchedFiles.watch(path)
        defer { WatchedFiles.stop() }
        var generator = SeededGenerator(seed: seed)
        let run = try StoreRun(
            over: CutDisk(
                path, isWrittenByItself: isWrittenByItself, longLog: generator.pick(CutDisk.longLogs)),
            seed: generator.next(), isWrittenByItself: isWrittenByItself)
        if isTraced { run.trace() }
        try run.perform(steps) { WatchedFiles.mark($0) }
        history = run.history
        notes = run.notes
        run.disk?.close()
        trace = FileTrace.taken()
    }

    package func cut(_ trace: FileTrace, _ count: Int, seed: some BinaryInteger, _ tally: inout Cuts.Tally) throws {
        try Cuts(of: trace, at: path, in: folder, check: look).run(count, seed: seed, &tally)
    }

    /// Checks that a file has some state from the last that was reported as durable, as a whole, and can be used.
    private func look(at path: String, mark: Int) throws {
        try StoredFile(path).check(
            history, since: max(mark, 0), isReported: mark >= 0,
            written: isWrittenByItself ? nil : (Set(history.written), notes))
    }
}

/// A file after a cut or a kill.
struct StoredFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Checks that the file is sound, and that a store over it has one of the states of a history from a position on.
    ///
    /// - Parameter written: The positions of the states that were written, and their notes; nil if they are not known.
    func check(
        _ history: DiskHistory, since first: Int, isReported: Bool,
        written: (positions: Set<Int>, notes: [Int: [CutDisk.Notes]])?
    ) throws {
        let disk = CutDisk(path)
        defer { disk.close() }
        let store = try Store(disk: disk)
        guard let opening = disk.opening else { throw Cuts.Failure("the file was not opened") }
        if let reason = opening.replaced { throw Cuts.Failure("the file was put aside: \(reason)") }
        let found = DiskState(of: store, reading: history.ids)
        let violations = store.checkInvariants()
        if !violations.isEmpty { throw Cuts.Failure(violations.joined(separator: "; ")) }
        if isReported || opening.session > 1 {
            let mode = try SQLiteFileCheck.journalMode(of: path)
            if mode != "wal" { throw Cuts.Failure("the file has the mode '\(mode)'") }
        }
        let verdict = try SQLiteFileCheck.integrity(of: path)
        if verdict != "ok" { throw Cuts.Failure("the file is damaged: \(verdict)") }
        // The state that was reported last, or a later one.
        let candidates = (first...history.current).filter { position in
            guard history.states[position] == found else { return false }
            guard let written else { return true }
            guard written.positions.contains(position) else { return false }
            return written.notes[position]?.contains(opening.notes) == true
        }
        if !candidates.isEmpty { return }
        let same = history.states.indices.filter { history.states[$0] == found }
        let nearest = (first...history.current).map { ($0, history.states[$0].differences(from: found)) }
            .min { $0.1.count < $1.1.count }
        throw Cuts.Failure(
            same.isEmpty
                ? "the store is in no state that was published since \(first) of \(history.current); the nearest is "
                    + "\(nearest?.0 ?? 0), and differs so: \(nearest?.1.prefix(5) ?? [])"
                : "the store is in the state \(same), of which no one was written with these notes since \(first)")
    }
}
