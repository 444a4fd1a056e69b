import BatonCompiler
import BatonDiagnostics
import BatonProject
import Foundation
import RandomCases

/// Random edits of a project. After each of them, the artifacts and the diagnostics are those of a compiler that knows
/// nothing, on a copied tree.
///
/// Two owners take turns in the tree: one that stays, as in `--watch`, and one that has only the table on disk, as in a
/// new process. Each must see through what the other has written.
package struct ProjectStorm {
    /// What a storm has seen.
    package struct Tally: Sendable {
        package var edits = 0
        package var rounds = 0
        /// The rounds after which an artifact or a diagnostic was another one.
        package var changes = 0
        /// The rounds of each extent.
        package var quiet = 0
        package var partial = 0
        package var whole = 0
        /// The whole rounds that were generated in several shares.
        package var shared = 0
        package var failures = 0
        package var failure: String?

        package init() {}

        package var description: String {
            "\(edits) edits, \(rounds) rounds compared, \(changes) with a change: \(partial) in part, \(whole) whole "
                + "(\(shared) in shares), \(quiet) quiet, \(failures) with errors"
        }
    }

    private let folder: String
    private var random: SeededGenerator
    private var trees: StormTrees
    private var staying: Project
    private let cache: ProjectCache
    private var lastResult = ""

    /// Makes the trees in a folder, which the caller removes.
    package init(seed: UInt64, in folder: String) throws {
        self.folder = folder
        random = SeededGenerator(seed: seed &+ 5)
        cache = ProjectCache(folder: AbsolutePath(absolute: folder + "/cache"))
        staying = Self.project(in: folder + "/tree", nil)
        trees = try StormTrees(seed: seed, in: folder)
    }

    private static func project(in tree: String, _ cache: ProjectCache?) -> Project {
        let path = AbsolutePath(absolute: tree)
        var project = Project(
            workingDirectory: path, configuration: path.appending("baton.json"), program: "storm", cache: cache)
        // What is compared generates as much as it can in shares.
        project.shareSize = 3
        return project
    }

    // MARK: - Rounds

    /// Edits and compares so many times, or until the first difference.
    package mutating func run(edits: Int, into tally: inout Tally) throws {
        try compare(&tally)
        for _ in 0..<20 where trees.hasErrors {
            try trees.writeAll()
            try compare(&tally)
        }
        while tally.failure == nil, tally.edits < edits {
            let count = random.chance(80) ? 1 : 1 + random.below(6)
            for _ in 0..<count { try trees.edit() }
            tally.edits += count
            try compare(&tally)
        }
    }

    private mutating func compare(_ tally: inout Tally) throws {
        var round: Round
        if random.chance(60) {
            round = staying.round()
            round.compiler.report(staying.apply(round, displayed: \.description))
        } else {
            var other = Self.project(in: folder + "/tree", cache)
            round = other.round()
            round.compiler.report(other.apply(round, displayed: \.description))
        }
        var fresh = Self.project(in: folder + "/copy", nil)
        fresh.shareSize = .max
        var expected = fresh.round(isFresh: true)
        expected.compiler.report(fresh.apply(expected, displayed: \.description))
        tally.rounds += 1
        switch round.extent {
        case .nothing: tally.quiet += 1
        case .part: tally.partial += 1
        case .whole: tally.whole += 1
        }
        if round.shares > 1 { tally.shared += 1 }
        trees.note(hasErrors: expected.compiler.hasErrors)
        if trees.hasErrors { tally.failures += 1 }
        let (result, wanted) = (try self.result(round, "tree"), try self.result(expected, "copy"))
        if result != lastResult { tally.changes += 1 }
        lastResult = result
        guard result != wanted else { return }
        tally.failure =
            "after \(tally.edits) edits (\(round.extent)):\n" + StormTrees.difference(result, wanted)
    }

    /// The diagnostics, and all files that were written.
    private func result(_ round: Round, _ tree: String) throws -> String {
        let diagnostics = round.compiler.diagnostics.errorsFirst()
        var json = JSONRenderer(sources: round.compiler.sources)
        let digest = DiagnosticDigest(
            diagnostics, in: round.compiler.sources, schema: round.compiler.serverSources, isWhole: false)
        var renderer = TextRenderer(sources: round.compiler.sources, style: .plain)
        let result = json.render(diagnostics) + "\n" + renderer.render(digest)
        return result + (try trees.outputs(of: tree))
    }
}
