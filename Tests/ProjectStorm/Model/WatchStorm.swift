import Foundation
import RandomCases

/// Random edits of a project that `baton compile --watch` watches, some of them while it is still busy with others.
///
/// Whenever nothing happens any more, the artifacts are those of an independent run on a copied tree, and what the
/// watch has shown last are the diagnostics of that run. While there are errors, artifacts are those of some earlier
/// time.
package struct WatchStorm {
    /// What a storm has seen.
    package struct Tally: Sendable {
        package var edits = 0
        package var rounds = 0
        /// The rounds after which an artifact or a diagnostic was another one.
        package var changes = 0
        package var failures = 0
        package var failure: String?

        package init() {}

        package var description: String {
            "\(edits) edits, \(rounds) rounds compared, \(changes) with a change, \(failures) with errors"
        }
    }

    /// An independent run in a folder: what it shows, and whether it has found errors.
    package typealias FreshRun = (_ folder: String) throws -> (shown: String, hasErrors: Bool)

    private let folder: String
    private let output: WatchOutput
    private let compile: FreshRun
    private var random: SeededGenerator
    private var trees: StormTrees
    private var lastResult = ""

    /// How long the watch may take for what no event has told, in seconds: it must not, so this only ends a failure.
    private static let patience = 30.0

    /// Makes the trees `tree` and `copy` in a folder, which the caller removes. The watch of the tree, with
    /// `--format json`, has to be started after it, and writes to `output`.
    package init(seed: UInt64, in folder: String, output: WatchOutput, compile: @escaping FreshRun) throws {
        self.folder = folder
        self.output = output
        self.compile = compile
        random = SeededGenerator(seed: seed &+ 11)
        trees = try StormTrees(seed: seed, in: folder)
        trees.percentOfReturns = 90
    }

    /// Edits and compares so many times, or until the first difference.
    package mutating func run(edits: Int, into tally: inout Tally) throws {
        try compare(&tally)
        for _ in 0..<20 where trees.hasErrors {
            try trees.writeAll()
            try compare(&tally)
        }
        while tally.failure == nil, tally.edits < edits {
            let count = random.chance(70) ? 1 : 1 + random.below(8)
            for _ in 0..<count { try trees.edit() }
            tally.edits += count
            // Some edits come while the watch is busy.
            if random.chance(75) { try compare(&tally) }
        }
        if tally.failure == nil { try compare(&tally) }
    }

    private mutating func compare(_ tally: inout Tally) throws {
        let (shown, hasErrors) = try compile(folder + "/copy")
        let wanted = try trees.artifacts(of: "copy")
        trees.note(hasErrors: hasErrors)
        let trees = trees
        let isReached = output.wait(seconds: Self.patience) { output in
            output.hasSuffix(shown)
                && (hasErrors || (try? trees.artifacts(of: "tree")) == wanted && trees.arePersistedTextsThere)
        }
        tally.rounds += 1
        if hasErrors { tally.failures += 1 }
        if shown + wanted != lastResult { tally.changes += 1 }
        lastResult = shown + wanted
        let errors = output.takeErrors()
        if errors.contains("without an event") {
            tally.failure = "after \(tally.edits) edits: the watch saw something that no event told:\n\(errors)"
        }
        if isReached { return }
        var last = ""
        _ = output.wait(seconds: 0) { output in
            last = String(output.suffix(shown.count))
            return true
        }
        tally.failure =
            "after \(tally.edits) edits:\n" + StormTrees.difference(last, shown)
            + (hasErrors ? "" : StormTrees.difference(try trees.artifacts(of: "tree"), wanted)) + "\n" + errors
    }
}
