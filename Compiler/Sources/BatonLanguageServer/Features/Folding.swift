import BatonCompiler
import BatonDiagnostics
import BatonSyntax

/// The brackets over several lines, and the comments, that an editor can fold.
enum Folding {
    static func ranges(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        if lines.isLarge { return .null }
        var ranges: [JSONValue] = []
        for piece in GraphQLText(path: path, bytes: lines.bytes).pieces {
            var lexer = Lexer(source: piece.source, range: piece.range)
            var open: [Int] = []
            while true {
                let token = lexer.next()
                switch token.kind {
                case .leftBrace, .leftParenthesis, .leftBracket: open.append(Int(token.start))
                case .rightBrace, .rightParenthesis, .rightBracket:
                    if let start = open.popLast() { add(start, Int(token.start), nil) }
                case .blockString: add(Int(token.start), Int(token.end), "comment")
                default: break
                }
                if token.kind == .endOfFile { break }
            }
            func add(_ start: Int, _ end: Int, _ kind: String?) {
                let first = lines.position(of: piece.original(start)).line
                // The line of the closing bracket stays visible.
                let last = lines.position(of: piece.original(end)).line - 1
                guard last > first else { return }
                let range: JSONValue = ["startLine": .integer(first), "endLine": .integer(last)]
                ranges.append(range.with("kind", kind.map { .string($0) }))
            }
        }
        return .array(ranges)
    }
}
