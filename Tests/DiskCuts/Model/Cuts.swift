import Foundation
import RandomCases

/// Cuts of the power at points of a trace: the files as they may be then are made, and looked at.
package struct Cuts {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package struct Tally: Sendable {
        package var histories = 0
        package var cuts = 0
        /// The files that were different from all others.
        package var images: Set<Int> = []
        package var opened = 0
        /// The writes, truncations and deletions of the histories, and the flushes that were reported.
        package var changes = 0
        package var flushes = 0

        package init() {}

        package var description: String {
            "\(cuts) cuts in \(histories) histories of \(changes) changes and \(flushes) flushes, "
                + "\(images.count) different images, \(opened) opened"
        }
    }

    private let trace: FileTrace
    /// The path of the file in the trace.
    private let path: String
    private let folder: TemporaryFolder
    /// Looks at a file after a cut. Gets its path and the last mark before the cut, -1 for none.
    private let check: (_ path: String, _ mark: Int) throws -> Void

    package init(
        of trace: FileTrace, at path: String, in folder: TemporaryFolder,
        check: @escaping (_ path: String, _ mark: Int) throws -> Void
    ) {
        self.trace = trace
        self.path = path
        self.folder = folder
        self.check = check
    }

    /// Tries cuts at random points.
    package func run(_ count: Int, seed: some BinaryInteger, _ tally: inout Tally) throws {
        var generator = SeededGenerator(seed: seed)
        let marks = trace.events.indices.filter { place in
            if case .mark = trace.events[place] { true } else { false }
        }
        // Many cuts are just after something was reported.
        let places = (0..<count).map { _ in
            !marks.isEmpty && generator.chance(30)
                ? generator.pick(marks) + 1 : generator.below(trace.events.count + 1)
        }.sorted()
        var state = CutState()
        var mark = -1
        var done = 0
        var known: Set<Int> = []
        tally.histories += 1
        tally.changes += trace.changes
        for case .mark in trace.events { tally.flushes += 1 }
        for (number, place) in places.enumerated() {
            while done < place {
                if case .mark(let next) = trace.events[done] { mark = next }
                state.apply(trace.events[done])
                done += 1
            }
            let loss = generator.pick([CutState.Loss.nothing, .everything, .end, .end, .some, .some, .some])
            let files = state.files(after: loss, &generator)
            tally.cuts += 1
            var hasher = Hasher()
            for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
                hasher.combine(name)
                bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
            tally.images.insert(hasher.finalize())
            hasher.combine(mark)
            guard known.insert(hasher.finalize()).inserted else { continue }
            tally.opened += 1
            do {
                try look(at: files, mark)
            } catch {
                throw Failure(
                    "cut \(number) at event \(place) of \(trace.events.count), with \(loss) lost, after "
                        + "mark \(mark): \(error)")
            }
        }
    }

    private func look(at files: [String: [UInt8]], _ mark: Int) throws {
        let image = folder.path + "/image"
        try? FileManager.default.removeItem(atPath: image)
        try FileManager.default.createDirectory(atPath: image, withIntermediateDirectories: true)
        let name = image + "/store.sqlite"
        for (path, bytes) in files {
            try Data(bytes).write(to: URL(filePath: name + path.dropFirst(self.path.count)))
        }
        try check(name, mark)
    }
}

/// A folder that goes with its owner.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        // Nothing in it has to reach a disk.
        let memory = "/dev/shm"
        let root = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = URL(filePath: root).appending(path: "baton-cuts-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
