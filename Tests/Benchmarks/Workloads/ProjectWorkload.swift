import Foundation

/// A project of some 5,000 documents on disk: a real application taken three times, with other names each time.
struct ProjectWorkload {
    let folder: URL
    /// The documents, sorted by name.
    let documents: [String]

    private static let copies = 3

    /// Copies an application, a folder with `schema.graphql` and `documents/*.graphql`; nil if it is not there.
    init?(application: URL) throws {
        let files = FileManager.default
        let source = application.appendingPathComponent("documents")
        guard let names = try? files.contentsOfDirectory(atPath: source.path).sorted() else { return nil }
        folder = files.temporaryDirectory.appendingPathComponent("baton-project-\(UUID().uuidString)")
        let target = folder.appendingPathComponent("documents")
        try files.createDirectory(at: target, withIntermediateDirectories: true)
        var entries = [#""documents": ["documents"]"#, #""output": "Generated""#, #""schema": ["schema.graphql"]"#]
        for name in ["schema.graphql", "relay-directives.graphql"] {
            let file = application.appendingPathComponent(name)
            guard files.fileExists(atPath: file.path) else { continue }
            try files.copyItem(at: file, to: folder.appendingPathComponent(name))
            if name != "schema.graphql" { entries.append(#""schemaExtensions": ["\#(name)"]"#) }
        }
        try "{\(entries.joined(separator: ", "))}".write(
            to: folder.appendingPathComponent("baton.json"), atomically: false, encoding: .utf8)
        let texts = try names.map { name in
            try String(contentsOf: source.appendingPathComponent(name), encoding: .utf8)
        }
        let defined = Self.definedNames(texts)
        var documents: [String] = []
        for copy in 0..<Self.copies {
            for (name, text) in zip(names, texts) {
                let file = copy == 0 ? name : name.replacingOccurrences(of: ".graphql", with: "V\(copy).graphql")
                let content = copy == 0 ? text : Self.renamed(text, defined, "V\(copy)")
                try content.write(to: target.appendingPathComponent(file), atomically: false, encoding: .utf8)
                documents.append(file)
            }
        }
        self.documents = documents.sorted()
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A keyword at the beginning of a line, a spread, or the name of a query to fetch again, and the name behind it.
    private static var places: Regex<(Substring, Substring, Substring)> {
        /((?:^|\n)\s*(?:query|mutation|subscription|fragment)\s+|\.\.\.\s*|queryName:\s*")(\w+)/
    }

    private static func definedNames(_ texts: [String]) -> Set<String> {
        var names: Set<String> = []
        for match in texts.joined(separator: "\n").matches(of: places) where !match.1.hasPrefix("...") {
            names.insert(String(match.2))
        }
        return names
    }

    /// Adds a suffix to the names of definitions, before the word with which the name of an operation ends.
    private static func renamed(_ text: String, _ names: Set<String>, _ suffix: String) -> String {
        text.replacing(places) { match in
            let name = String(match.2)
            guard names.contains(name) else { return String(match.0) }
            let ending = ["Query", "Mutation", "Subscription"].first { name.hasSuffix($0) } ?? ""
            return match.1 + name.dropLast(ending.count) + suffix + ending
        }
    }
}
