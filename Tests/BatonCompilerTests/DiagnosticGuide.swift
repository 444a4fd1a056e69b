import Foundation

/// The error guide in parts: a section for each id, with an example of the mistake and an example of its correction.
///
/// An example is one or more fenced blocks that follow each other. Each block is a file. A comment in its first line
/// names the file; without one, it is the usual file for its language. A block of `sh` is the command instead of `baton
/// compile`.
struct DiagnosticGuide {
    /// The schema of all examples without a schema of their own.
    private(set) var schema = ""
    private(set) var sections: [Section] = []

    struct Section {
        let id: String
        /// Whether the examples are schemas.
        let isAboutSchemas: Bool
        /// The mistake and its correction; empty if no example is short enough.
        fileprivate(set) var examples: [[Block]] = []
    }

    struct Block {
        let language: String
        fileprivate(set) var lines: [Substring] = []

        var text: String { lines.joined(separator: "\n") + "\n" }

        /// The path in the comment of the first line.
        var name: String? {
            guard let match = lines.first?.wholeMatch(of: /(?:#|\/\/) ([\w\/.]+\.\w+)/) else { return nil }
            return String(match.1)
        }
    }

    init(_ page: String) {
        var group: Substring = ""
        var block: Block?
        var isContinued = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = block {
                if line == "```" {
                    block = nil
                    add(open, isContinued)
                    isContinued = true
                } else {
                    block?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                block = Block(language: String(line.dropFirst(3)))
            } else if line.hasPrefix("## ") {
                group = line.dropFirst(3)
            } else if line.hasPrefix("### ") {
                sections.append(Section(id: String(line.dropFirst(4)), isAboutSchemas: group.contains(/[Ss]chema/)))
                isContinued = false
            } else if !line.isEmpty {
                isContinued = false
            }
        }
    }

    private mutating func add(_ block: Block, _ isContinued: Bool) {
        guard let last = sections.indices.last else {
            schema = block.text
            return
        }
        if isContinued, let example = sections[last].examples.indices.last {
            sections[last].examples[example].append(block)
        } else {
            sections[last].examples.append([block])
        }
    }

    /// The files of an example and the command to run on them.
    func project(_ example: [Block], of section: Section) -> (files: [String: String], command: String) {
        var files = ["baton.json": "{}", "schema.graphql": schema]
        var command = "compile"
        for block in example {
            switch block.language {
            case "sh": command = String(block.text.dropFirst("baton ".count).dropLast())
            case "json" where section.isAboutSchemas:
                files["schema.json"] = block.text
                command = "validate --schema schema.json"
            case "graphql" where section.isAboutSchemas || block.name == "schema.graphql" && example.count == 1:
                files[block.name ?? "schema.graphql"] = block.text
                command = "validate --schema schema.graphql"
            default:
                let usual = ["graphql": "Films.graphql", "swift": "FilmList.swift", "json": "baton.json"]
                files[block.name ?? usual[block.language] ?? block.language] = block.text
            }
        }
        return (files, command)
    }
}
