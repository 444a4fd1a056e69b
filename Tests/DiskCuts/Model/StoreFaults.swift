import Baton
import Foundation
import RandomCases
import StoreModel

/// Calls of the system that fail, each in turn, while a store uses its file.
///
/// The store goes on in memory. Once calls succeed again, so does a flush, and a restart finds everything. What a flush
/// has reported in spite of the failure is there after a cut of the power too.
package struct StoreFaults {
    /// What the store does while calls fail.
    package enum Work: CaseIterable, Sendable {
        /// Makes the file.
        case make
        /// Opens the file.
        case open
        case write
        case flush
        /// Moves the log into the file.
        case moveLog
        /// Reads records that are not in memory.
        case read
        /// Closes the file.
        case close
    }

    package struct Tally: Sendable {
        package var runs = 0
        package var failedCalls = 0
        /// The runs in which the work has thrown an error.
        package var errors = 0
        package var kinds: Set<PersistenceError.Kind> = []
        package var cuts = Cuts.Tally()

        package init() {}

        package var description: String {
            "\(runs) runs, \(failedCalls) calls failed, \(errors) errors of the kinds "
                + "\(kinds.map(\.description).sorted()); \(cuts.cuts) cuts afterwards"
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let seed: UInt64
    private let steps: Int
    private var longLog: Int { CutDisk.longLogs[Int(seed % UInt64(CutDisk.longLogs.count))] }

    package init(seed: some BinaryInteger, steps: Int) {
        self.seed = UInt64(truncatingIfNeeded: seed)
        self.steps = steps
    }

    /// Has each call of a work fail, one run for each: once, and from then on.
    ///
    /// - Parameter share: One of so many calls fails; 1 for each.
    package func run(_ work: Work, share: Int, cuts: Int, _ tally: inout Tally) throws {
        for fault in Self.faults {
            var none = fault
            none.first = .max
            none.times = 0
            var ignored = Tally()
            let count = try perform(work, none, cuts: 0, &ignored)
            for number in stride(from: Int(seed % UInt64(share)), to: count, by: share) {
                var fault = fault
                fault.first = number
                do {
                    _ = try perform(work, fault, cuts: cuts, &tally)
                } catch {
                    throw Failure(description: "during \(work), with \(fault): \(error)")
                }
            }
        }
    }

    private static let faults: [WatchedFiles.Fault] = {
        var faults: [WatchedFiles.Fault] = []
        for answer in WatchedFiles.Fault.Answer.allCases {
            for (times, isPartial) in [(1, false), (1, true), (.max, false)] {
                // Only writes end in the middle.
                if answer == .busy, isPartial { continue }
                var fault = WatchedFiles.Fault()
                fault.answer = answer
                // SQLite waits for its index for some seconds.
                fault.times = answer == .busy ? min(times, 10) : times
                fault.isPartial = isPartial
                if isPartial { fault.calls = [.write] }
                faults.append(fault)
            }
        }
        return faults
    }()

    /// Returns how many calls the work has made that could have failed.
    private func perform(
        _ work: Work, _ fault: WatchedFiles.Fault, cuts: Int, _ tally: inout Tally
    ) throws -> Int {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        try WatchedFiles.watch(path)
        defer { WatchedFiles.stop() }
        var error: (any Error)?
        var calls = (calls: 0, failed: 0)
        func failing(_ body: () throws -> Void) {
            WatchedFiles.fail(fault)
            do { try body() } catch let thrown { error = thrown }
            calls = WatchedFiles.succeed()
        }
        if work == .make { failing { _ = try Store(disk: CutDisk(path, longLog: longLog)) } }
        let run = try StoreRun(over: CutDisk(path, longLog: longLog), seed: seed)
        guard let opening = run.disk?.opening, opening.replaced == nil else {
            throw Failure(description: "the file was put aside at its second opening")
        }
        func flush() throws { WatchedFiles.mark(try run.flush()) }
        // A history of which a part is in the file, a part in the log, and a part in memory alone.
        try run.perform(steps) { WatchedFiles.mark($0) }
        try flush()
        if work == .moveLog || work == .read { try run.history.fill(seed: seed) }
        if work == .read || work == .open {
            try run.history.write()
            try run.history.restart()
        } else {
            try run.history.compare()
        }
        try run.history.fill(seed: seed &+ 1)
        if work == .moveLog || work == .close { try run.history.write() }
        switch work {
        case .make: break
        case .open:
            try run.history.write()
            run.disk?.close()
            failing { try run.history.restart() }
        case .write: failing { try run.history.write() }
        case .flush: failing { try flush() }
        case .moveLog: failing { try run.disk?.moveLog() }
        case .read: failing { run.history.readAll() }
        case .close: failing { run.disk?.close() }
        }
        tally.runs += 1
        tally.failedCalls += calls.failed
        if let error {
            tally.errors += 1
            guard let error = error as? PersistenceError else {
                throw Failure(description: "another error than one of the file is thrown: \(error)")
            }
            tally.kinds.insert(error.kind)
        }
        if work == .open || work == .close {
            try run.history.restart()
        } else {
            // The store goes on in memory.
            try run.history.fill(seed: seed &+ 2)
        }
        if let reason = run.disk?.opening?.replaced { throw Failure(description: "the file was put aside: \(reason)") }
        try flush()
        try run.history.compare()
        try run.history.restart()
        if let reason = run.disk?.opening?.replaced { throw Failure(description: "the file was put aside: \(reason)") }
        try run.history.compare()
        run.disk?.close()
        guard cuts > 0 else { return calls.calls }
        let trace = FileTrace.taken()
        let look = Cuts(of: trace, at: path, in: folder) { path, mark in
            try StoredFile(path).check(run.history, since: max(mark, 0), isReported: mark >= 0, written: nil)
        }
        try look.run(cuts, seed: seed &+ UInt64(clamping: fault.first), &tally.cuts)
        return calls.calls
    }
}
