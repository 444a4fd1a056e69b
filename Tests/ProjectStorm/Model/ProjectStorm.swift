import BatonCompiler
import BatonDiagnostics
import BatonProject
import Foundation
import PlanModel

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
    private var text: StormText
    private var random: RandomNumbers
    private var files: [String: String] = [:]
    private var staying: Project
    private let cache: ProjectCache
    private var lastResult = ""
    /// The files after the last round without errors.
    private var goodFiles: [String: String] = [:]
    private var hasErrors = false

    private static let trees = ["tree", "copy"]

    /// Makes the trees in a folder, which the caller removes.
    package init(seed: UInt64, in folder: String) throws {
        self.folder = folder
        random = RandomNumbers(seed: seed)
        text = StormText(random: RandomNumbers(seed: seed &+ 77))
        cache = ProjectCache(folder: AbsolutePath(absolute: folder + "/cache"))
        staying = Self.project(in: folder + "/tree", nil)
        for tree in Self.trees {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(tree)", withIntermediateDirectories: true)
        }
        try write(text.schema(), to: "schema.graphql")
        try write(text.configuration(), to: "baton.json")
        for slot in 0..<StormText.slots { try write(slot) }
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
        // The first texts may have a mistake that all later ones would keep.
        for _ in 0..<20 where hasErrors {
            try write(text.schema(), to: "schema.graphql")
            for slot in 0..<StormText.slots { try write(slot) }
            try compare(&tally)
        }
        while tally.failure == nil, tally.edits < edits {
            let count = random.chance(80) ? 1 : 1 + random.below(6)
            for _ in 0..<count { try edit() }
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
        hasErrors = expected.compiler.hasErrors
        if hasErrors { tally.failures += 1 } else { goodFiles = files }
        let (result, wanted) = (try self.result(round, "tree"), try self.result(expected, "copy"))
        if result != lastResult { tally.changes += 1 }
        lastResult = result
        guard result != wanted else { return }
        tally.failure = "after \(tally.edits) edits (\(round.extent)):\n" + Self.difference(result, wanted)
    }

    /// The diagnostics, and all files that were written.
    private func result(_ round: Round, _ tree: String) throws -> String {
        let diagnostics = round.compiler.diagnostics.errorsFirst()
        var json = JSONRenderer(sources: round.compiler.sources)
        let digest = DiagnosticDigest(
            diagnostics, in: round.compiler.sources, schema: round.compiler.serverSources, isWhole: false)
        var renderer = TextRenderer(sources: round.compiler.sources, style: .plain)
        var result = json.render(diagnostics) + "\n" + renderer.render(digest)
        let out = "\(folder)/\(tree)/out"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: out))?.sorted() ?? [] {
            result += "== \(name)\n" + (try String(contentsOfFile: out + "/" + name, encoding: .utf8))
        }
        let persisted = "\(folder)/\(tree)/persisted.json"
        return result + ((try? String(contentsOfFile: persisted, encoding: .utf8)) ?? "")
    }

    private static func difference(_ result: String, _ wanted: String) -> String {
        let (left, right) = (result.split(separator: "\n"), wanted.split(separator: "\n"))
        let index = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
        let section = right[..<min(index, right.count)].last { $0.hasPrefix("== ") } ?? ""
        func lines(_ text: [Substring]) -> String {
            text[max(0, index - 2)..<min(text.count, index + 4)].joined(separator: "\n")
        }
        return "\(section)\n-- is\n\(lines(left))\n-- should be\n\(lines(right))"
    }

    // MARK: - Edits

    private mutating func edit() throws {
        if hasErrors, !goodFiles.isEmpty, random.chance(50) { return try undo() }
        switch random.below(100) {
        case 0..<50: try write(random.below(StormText.slots))
        case 50..<58: try respace()
        case 58..<64: try remove(random.pick(documents))
        case 64..<70: try move(random.pick(documents))
        case 70..<75: try truncate(random.pick(documents))
        case 75..<78: try duplicate(random.pick(documents))
        case 78..<82: try write(text.schema(), to: "schema.graphql")
        case 82..<85: try write(text.configuration(), to: "baton.json")
        case 85..<90: try tamper()
        case 90..<93: try write("# nothing\n", to: "documents/notes.graphql")
        default: for slot in random.some(of: Array(0..<StormText.slots), percent: 20) { try write(slot) }
        }
    }

    /// Goes back to the last files without errors.
    private mutating func undo() throws {
        for name in files.keys.sorted() where goodFiles[name] == nil { try remove(name) }
        for (name, text) in goodFiles.sorted(by: { $0.key < $1.key }) where files[name] != text {
            try write(text, to: name)
        }
        hasErrors = false
    }

    private var documents: [String] {
        let names = files.keys.filter { $0.hasPrefix("documents/") }.sorted()
        return names.isEmpty ? ["documents/none.graphql"] : names
    }

    /// Writes the definitions of a slot anew, in one of the forms that a document has.
    private mutating func write(_ slot: Int) throws {
        let definitions = text.definitions(slot)
        let swift = "documents/C\(slot).swift"
        let plain = "documents/C\(slot).graphql"
        if random.chance(20) {
            try remove(plain)
            let literals = definitions.enumerated().map { index, definition in
                "private let document\(index) = graphql(\n    \"\"\"\n    \(definition)\n    \"\"\")\n"
            }
            try write("import Baton\n\n" + literals.joined(separator: "\n"), to: swift)
        } else {
            try remove(swift)
            try write(definitions.joined(separator: "\n\n") + "\n", to: plain)
        }
    }

    /// Changes white space only, before or inside a definition.
    private mutating func respace() throws {
        let name = random.pick(documents)
        guard let old = files[name] else { return }
        try write(random.chance(50) ? "\n\n" + old : old.replacing(" { ", with: " {\n  ", maxReplacements: 1), to: name)
    }

    private mutating func move(_ name: String) throws {
        guard let old = files[name], let base = name.split(separator: "/").last else { return }
        try remove(name)
        try write(old, to: "documents/\(random.pick(["left/", "right/", ""]))\(base)")
    }

    /// Leaves the beginning of a file, as a program that is writing it does.
    private mutating func truncate(_ name: String) throws {
        guard let old = files[name], !old.isEmpty else { return }
        try write(String(old.prefix(random.below(old.count))), to: name)
    }

    private mutating func duplicate(_ name: String) throws {
        guard let old = files[name] else { return }
        try write(old, to: "documents/again.graphql")
    }

    /// Changes or removes something that was generated, in both trees.
    private mutating func tamper() throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/copy/out"))?.sorted() ?? []
        guard !names.isEmpty else { return }
        let name = random.pick(names)
        let isRemoval = random.chance(50)
        for tree in Self.trees {
            let path = "\(folder)/\(tree)/out/\(name)"
            if isRemoval {
                try? FileManager.default.removeItem(atPath: path)
            } else if let old = try? String(contentsOfFile: path, encoding: .utf8) {
                try (old + "// edited\n").write(toFile: path, atomically: random.chance(50), encoding: .utf8)
            }
        }
    }

    private mutating func write(_ content: String, to name: String) throws {
        files[name] = content
        for tree in Self.trees {
            let path = URL(fileURLWithPath: "\(folder)/\(tree)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: path, atomically: random.chance(50), encoding: .utf8)
        }
    }

    private mutating func remove(_ name: String) throws {
        guard files.removeValue(forKey: name) != nil else { return }
        for tree in Self.trees { try FileManager.default.removeItem(atPath: "\(folder)/\(tree)/\(name)") }
    }
}
