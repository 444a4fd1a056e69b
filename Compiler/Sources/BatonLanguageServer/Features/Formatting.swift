import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSyntax

/// The formatting of documents, with the same result as `baton format`.
enum Formatting {
    static func document(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        return .array(edits(path, lines, server).map { json($0, lines) })
    }

    static func range(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        guard let range = TextRange(input.parameters["range"]) else {
            throw .invalidParameters("'range' has a 'start' and an 'end'")
        }
        return .array(edits(path, lines, server).touching(lines.offsets(of: range)).map { json($0, lines) })
    }

    /// The edits that format a document; no edits if it has a syntax error.
    private static func edits(_ path: AbsolutePath, _ lines: LineIndex, _ server: LanguageServer) -> [TextEdit] {
        let limits = server.project(of: path)?.view.compiler.limits ?? ParserLimits()
        let file = SourceFile(id: SourceID(index: 1), path: path.description, bytes: lines.bytes)
        return SourceFormatter(limits: limits).format(file).edits
    }

    private static func json(_ edit: TextEdit, _ lines: LineIndex) -> JSONValue {
        [
            "range": lines.range(of: edit.range).json,
            "newText": .string(String(decoding: edit.replacement, as: UTF8.self)),
        ]
    }
}
