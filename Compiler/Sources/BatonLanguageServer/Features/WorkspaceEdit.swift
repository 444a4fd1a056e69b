import BatonCompiler

/// Changes of several files at once.
struct WorkspaceEdit {
    private struct Change: Hashable {
        let range: TextRange
        let text: String
        /// Whether the client should ask before it makes the change.
        let isGuess: Bool
    }

    private var changes: [AbsolutePath: Set<Change>] = [:]

    var isEmpty: Bool { changes.isEmpty }

    mutating func add(_ range: TextRange, _ text: String, to path: AbsolutePath, isGuess: Bool = false) {
        changes[path, default: []].insert(Change(range: range, text: text, isGuess: isGuess))
    }

    /// The texts of the changed files with all changes.
    func texts(_ server: LanguageServer) -> [AbsolutePath: [UInt8]] {
        var result: [AbsolutePath: [UInt8]] = [:]
        for (path, changes) in changes {
            let lines = server.lines(of: path)
            var bytes = lines.bytes
            for change in changes.sorted(by: { $1.range.start < $0.range.start }) {
                bytes.replaceSubrange(lines.offsets(of: change.range), with: change.text.utf8)
            }
            result[path] = bytes
        }
        return result
    }

    private static let guess = "swift"

    /// The edit in a form that the client understands, with the versions of open documents.
    func json(_ server: LanguageServer) -> JSONValue {
        let marksGuesses = server.client.hasConfirmation
        func edits(_ path: AbsolutePath) -> JSONValue {
            let sorted = (changes[path] ?? []).sorted { $0.range.start < $1.range.start }
            return .array(
                sorted.map { change in
                    let edit: JSONValue = ["range": change.range.json, "newText": .string(change.text)]
                    return edit.with("annotationId", change.isGuess && marksGuesses ? .string(Self.guess) : nil)
                })
        }
        func uri(_ path: AbsolutePath) -> String { server.openDocument(at: path)?.uri.text ?? DocumentURI(path).text }
        let paths = changes.keys.sorted()
        guard server.client.hasDocumentChanges else {
            return ["changes": .object(paths.map { .init(key: uri($0), value: edits($0)) })]
        }
        let documents = paths.map { path -> JSONValue in
            let version = server.openDocument(at: path)?.version
            return [
                "textDocument": ["uri": .string(uri(path)), "version": version.map { .integer($0) } ?? .null],
                "edits": edits(path),
            ]
        }
        let json: JSONValue = ["documentChanges": .array(documents)]
        let hasGuesses = marksGuesses && changes.values.joined().contains(where: \.isGuess)
        return json.with(
            "changeAnnotations",
            hasGuesses
                ? [
                    Self.guess: [
                        "label": "Swift that has the name", "needsConfirmation": true,
                        "description": "found by the name alone",
                    ]
                ] : nil)
    }
}
