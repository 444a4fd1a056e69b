import BatonCompiler
import BatonProject

/// The corrections that diagnostics carry.
enum CodeActions {
    static func actions(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        guard let range = TextRange(input.parameters["range"]) else {
            throw .invalidParameters("'range' has a 'start' and an 'end'")
        }
        if let only = input.parameters.at("context", "only")?.array,
            !only.contains(where: { $0.string.map { "quickfix".hasPrefix($0) } ?? false })
        {
            return []
        }
        // The places of diagnostics are those of the text that was judged.
        guard server.project(of: path).map({ $0.view.bytes(of: path) == lines.bytes }) ?? false else { return [] }
        return .array(
            server.diagnostics(in: path).compactMap { item in
                guard let fix = item.fix, item.range.start <= range.end, range.start <= item.range.end else {
                    return nil
                }
                var edit = WorkspaceEdit()
                edit.add(fix.range, fix.text, to: fix.path)
                return [
                    "title": .string(title(item, fix)), "kind": "quickfix", "diagnostics": [item.json],
                    "isPreferred": true, "edit": edit.json(server),
                ]
            })
    }

    private static func title(_ item: FiledDiagnostics.Item, _ fix: FiledDiagnostics.TextChange) -> String {
        if fix.text.isEmpty { return "Remove (\(item.kept.id))" }
        let isInsertion = fix.range.start == fix.range.end
        let text = fix.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let short = text.count > 60 ? text.prefix(60) + "..." : text
        return (isInsertion ? "Insert" : "Replace with") + " '\(short)'"
    }
}
