import Foundation
import RandomCases

/// Two equal trees with a project that is edited at random.
package struct StormTrees {
    private let folder: String
    private var text: StormText
    private var random: SeededGenerator
    private var files: [String: String] = [:]
    /// The files after the last round without errors.
    private var goodFiles: [String: String] = [:]
    package private(set) var hasErrors = false
    /// How often what has errors goes back to what had none.
    package var percentOfReturns = 50

    private static let names = ["tree", "copy"]

    /// Makes the trees `tree` and `copy` in a folder, which the caller removes.
    package init(seed: UInt64, in folder: String) throws {
        self.folder = folder
        random = SeededGenerator(seed: seed)
        text = StormText(random: SeededGenerator(seed: seed &+ 77))
        for name in Self.names {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try write(text.configuration(), to: "baton.json")
        try writeAll()
    }

    /// Writes schema and documents anew. The first texts may have a mistake that all later ones would keep.
    package mutating func writeAll() throws {
        try write(text.schema(), to: "schema.graphql")
        for slot in 0..<StormText.slots { try write(slot) }
    }

    /// Notes what a compiler has found in the trees. After errors, edits go back to what had none.
    package mutating func note(hasErrors: Bool) {
        self.hasErrors = hasErrors
        if !hasErrors { goodFiles = files }
    }

    /// All files that were generated in a tree.
    package func outputs(of tree: String) throws -> String { try artifacts(of: tree) + persisted(of: tree) }

    package func artifacts(of tree: String) throws -> String {
        var result = ""
        let out = "\(folder)/\(tree)/out"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: out))?.sorted() ?? [] {
            result += "== \(name)\n" + ((try? String(contentsOfFile: out + "/" + name, encoding: .utf8)) ?? "")
        }
        return result
    }

    private func persisted(of tree: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(tree)/persisted.json", encoding: .utf8)) ?? ""
    }

    /// Whether the tree has the texts with ids that the copy has. It may have more, of times that the copy has not
    /// seen.
    package var arePersistedTextsThere: Bool {
        let lines = { (tree: String) in
            Set(persisted(of: tree).split(separator: "\n").map { $0.hasSuffix(",") ? $0.dropLast() : $0 })
        }
        return lines("copy").isSubset(of: lines("tree"))
    }

    /// The first lines in which two results differ.
    package static func difference(_ result: String, _ wanted: String) -> String {
        let (left, right) = (result.split(separator: "\n"), wanted.split(separator: "\n"))
        let index = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
        let section = right[..<min(index, right.count)].last { $0.hasPrefix("== ") } ?? ""
        func lines(_ text: [Substring]) -> String {
            text[max(0, index - 2)..<min(text.count, index + 4)].joined(separator: "\n")
        }
        return "\(section)\n-- is\n\(lines(left))\n-- should be\n\(lines(right))"
    }

    // MARK: - Edits

    package mutating func edit() throws {
        if hasErrors, !goodFiles.isEmpty, random.chance(percentOfReturns) { return try undo() }
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
        case 93..<95: try moveFolder()
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

    /// Gives a folder another name, with all that is in it.
    private mutating func moveFolder() throws {
        let old = random.pick(["documents/left", "documents/right"])
        let new = random.pick(["documents/left", "documents/right", "documents/moved"])
        let moved = files.keys.filter { $0.hasPrefix(old + "/") }.sorted()
        let isFree = Self.names.allSatisfy { !FileManager.default.fileExists(atPath: "\(folder)/\($0)/\(new)") }
        guard !moved.isEmpty, isFree else { return }
        for tree in Self.names {
            try FileManager.default.moveItem(atPath: "\(folder)/\(tree)/\(old)", toPath: "\(folder)/\(tree)/\(new)")
        }
        for name in moved { files[new + name.dropFirst(old.count)] = files.removeValue(forKey: name) }
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
        for tree in Self.names {
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
        for tree in Self.names {
            let path = URL(fileURLWithPath: "\(folder)/\(tree)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            switch random.below(4) {
            case 0: try content.write(to: path, atomically: true, encoding: .utf8)
            case 1: try writeBeside(Data(content.utf8), path)
            case 2: try writeInParts(Data(content.utf8), path)
            default: try content.write(to: path, atomically: false, encoding: .utf8)
            }
        }
    }

    private mutating func remove(_ name: String) throws {
        guard files.removeValue(forKey: name) != nil else { return }
        for tree in Self.names { try FileManager.default.removeItem(atPath: "\(folder)/\(tree)/\(name)") }
    }

    /// Writes as an editor does that keeps the old file until the new one is complete.
    private mutating func writeBeside(_ content: Data, _ path: URL) throws {
        let folder = path.deletingLastPathComponent()
        let beside = folder.appending(path: random.pick(["4913", path.lastPathComponent + "~", ".saved.swp"]))
        try content.write(to: beside)
        guard rename(beside.path, path.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Writes in place, so that somebody may see the first half alone.
    private func writeInParts(_ content: Data, _ path: URL) throws {
        if !FileManager.default.fileExists(atPath: path.path) { try Data().write(to: path) }
        let file = try FileHandle(forWritingTo: path)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: content.prefix(content.count / 2))
        try file.write(contentsOf: content.dropFirst(content.count / 2))
        try file.close()
    }
}
