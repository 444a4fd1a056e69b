import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// The place of a request in a document, with the project, the text and the fragments that are known there.
struct Site {
    let path: AbsolutePath
    let text: GraphQLText
    let lines: LineIndex
    /// The offset in the file.
    let offset: Int
    let piece: GraphQLText.Piece
    let view: ProjectView
    let fragments: KnownFragments

    var schema: Schema? { view.schema }
    /// The offset in the source of the piece.
    var pieceOffset: Int { piece.offset(ofOriginal: offset) }

    /// Reads the definition at the place, up to an offset in the source of the piece if one is given.
    func reader(upTo end: Int? = nil) throws(ResponseError) -> RoleReader {
        try RoleReader(
            piece.source, range: piece.range, around: pieceOffset, upTo: end, schema: schema, fragments: fragments)
    }

    /// The protocol's range for a range in the source of the piece.
    func range(_ range: Range<Int>) -> TextRange { lines.range(of: piece.original(range)) }
}

extension LanguageServer {
    /// The project that reads a file; if there is none, the project in the nearest folder above the file.
    func project(of path: AbsolutePath) -> ServedProject? {
        let sorted = projects.values.sorted { $0.configuration < $1.configuration }
        if let project = sorted.first(where: { $0.reads(path) }) { return project }
        return sorted.filter { path.isInside($0.folder) }.max {
            $0.folder.description.utf8.count < $1.folder.description.utf8.count
        }
    }

    /// The text of a file that the client has open; otherwise the text that was judged, or the text on disk.
    func bytes(of path: AbsolutePath) -> [UInt8]? {
        if let document = openDocument(at: path) { return document.bytes }
        for project in projects.values { if let bytes = project.view.bytes(of: path) { return bytes } }
        return try? InputFile.readText(path)
    }

    func lines(of path: AbsolutePath) -> LineIndex {
        if let document = openDocument(at: path) { return document.lines }
        return LineIndex(bytes(of: path) ?? [])
    }

    /// The file of a request, with its text.
    func file(_ input: RequestInput) throws(ResponseError) -> (path: AbsolutePath, lines: LineIndex) {
        guard let uri = input.uri else { throw .invalidParameters("'textDocument' has a 'uri'") }
        if let document = documents[uri] {
            return (document.path ?? AbsolutePath(absolute: "/unsaved.graphql"), document.lines)
        }
        guard let path = uri.path, let bytes = bytes(of: path) else {
            throw .invalidParameters("the document '\(uri.text)' is not open")
        }
        return (path, LineIndex(bytes))
    }

    /// The place of a request; nil if there is no GraphQL at it.
    func site(_ input: RequestInput) throws(ResponseError) -> Site? {
        let (path, lines) = try file(input)
        let offset = lines.offset(of: try input.position())
        let text = GraphQLText(path: path, bytes: lines.bytes)
        guard let piece = text.piece(at: offset) else { return nil }
        let view = project(of: path)?.view ?? ProjectView()
        return Site(
            path: path, text: text, lines: lines, offset: offset, piece: piece, view: view,
            fragments: KnownFragments(view, and: text))
    }

    func location(_ path: AbsolutePath, _ range: Range<Int>) -> JSONValue {
        let uri = openDocument(at: path)?.uri ?? DocumentURI(path)
        return ["uri": .string(uri.text), "range": lines(of: path).range(of: range).json]
    }

    /// The protocol's location of a place in the schema.
    func location(_ span: Span, in view: ProjectView) -> JSONValue? {
        view.place(of: span).map { location($0.path, $0.range) }
    }
}
