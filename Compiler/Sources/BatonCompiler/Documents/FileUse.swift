/// What files are searched for, and which kinds of files that use reads.
enum FileUse {
    case schema
    case documents
    case formatting

    /// The extensions of the files that folders and patterns give.
    var extensions: Set<String> {
        switch self {
        case .schema: ["graphql", "graphqls", "gql", "json"]
        case .documents: ["graphql", "gql", "swift"]
        case .formatting: ["graphql", "graphqls", "gql", "swift"]
        }
    }

    /// The kind of a file whose name says that this use cannot read it; nil for a name that says nothing.
    func foreignKind(of name: String) -> String? {
        let ending = FileFinder.fileExtension(of: name)
        return extensions.contains(ending) ? nil : Self.kinds[ending]
    }

    /// The kinds of files that this use does not read, as a message names them: the most frequent ones first.
    func names(ofKinds names: [String]) -> String {
        var counts: [String: Int] = [:]
        for name in names {
            let ending = FileFinder.fileExtension(of: name)
            counts[Self.kinds[ending] ?? (ending.isEmpty ? "nameless" : "'.\(ending)'"), default: 0] += 1
        }
        let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let shown = kinds.prefix(3).joined(separator: ", ")
        return kinds.count > 3 ? "\(shown) and other" : shown
    }

    /// What this use reads, behind the kind that it does not read.
    var rule: String {
        switch self {
        case .schema: "a schema is read as SDL or as JSON"
        case .documents: "documents are read from GraphQL and Swift files"
        case .formatting: "GraphQL and Swift files are formatted"
        }
    }

    /// What to do with a file of another kind.
    var advice: String {
        switch self {
        case .schema: "name the server's schema, in SDL or as the answer to the introspection query"
        case .documents, .formatting: "put the GraphQL of such a file into a '.graphql' file beside it"
        }
    }

    /// The kinds of files by the extensions of their names. What is not here may hold GraphQL.
    private static let kinds: [String: String] = [
        "ts": "TypeScript", "tsx": "TypeScript", "mts": "TypeScript", "cts": "TypeScript",
        "js": "JavaScript", "jsx": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript",
        "vue": "Vue", "svelte": "Svelte", "astro": "Astro", "res": "ReScript", "re": "Reason",
        "kt": "Kotlin", "kts": "Kotlin", "java": "Java", "scala": "Scala", "groovy": "Groovy", "dart": "Dart",
        "m": "Objective-C", "mm": "Objective-C", "h": "C", "c": "C", "cc": "C++", "cpp": "C++", "hpp": "C++",
        "rs": "Rust", "go": "Go", "py": "Python", "rb": "Ruby", "php": "PHP", "cs": "C#", "fs": "F#",
        "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "hs": "Haskell", "elm": "Elm", "lua": "Lua",
        "swift": "Swift", "json": "JSON", "yml": "YAML", "yaml": "YAML", "toml": "TOML", "xml": "XML",
        "html": "HTML", "htm": "HTML", "css": "CSS", "scss": "CSS", "md": "Markdown", "mdx": "Markdown",
        "sh": "shell", "sql": "SQL", "proto": "Protocol Buffers",
    ]
}

extension FileFinder {
    /// Whether a path is that of a Swift source.
    package static func isSwift(_ path: String) -> Bool {
        path.hasSuffix(".swift") || fileExtension(of: path) == "swift"
    }
}
