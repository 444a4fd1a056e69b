import BatonCompiler
import BatonProject
import BatonSchema

/// The meaning of each token of a document, by which an editor chooses colours.
enum SemanticTokens {
    private enum Kind: Int, CaseIterable {
        case keyword
        case type
        case function
        case property
        case parameter
        case variable
        case enumMember
        case decorator
        case number
        case string
        case `class`

        var name: String { String(describing: self).filter { $0 != "`" } }
    }

    private enum Modifier: Int, CaseIterable {
        case declaration
        case deprecated
    }

    static let types = JSONValue.array(Kind.allCases.map { .string($0.name) })
    static let modifiers = JSONValue.array(Modifier.allCases.map { .string(String(describing: $0)) })

    /// The tokens, five numbers for each: the lines and columns since the token before, the length, the type, and the
    /// modifiers. A large text has none.
    static func full(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        if lines.isLarge { return .null }
        let view = server.project(of: path)?.view
        let text = GraphQLText(path: path, bytes: lines.bytes)
        let fragments = KnownFragments(view ?? ProjectView(), and: text)
        var data: [JSONValue] = []
        var last = TextPosition(line: 0, character: 0)
        for piece in text.pieces {
            if server.isCancelled(input.id) { throw .cancelled }
            try RoleReader.readDefinitions(of: piece, schema: view?.schema, fragments: fragments) { reader in
                for token in reader.roled {
                    guard let (kind, modifiers) = kind(of: token) else { continue }
                    let range = lines.range(of: piece.original(token.range))
                    // The protocol has no tokens over several lines.
                    guard range.start.line == range.end.line, range.start >= last else { continue }
                    let isSameLine = range.start.line == last.line
                    data += [
                        .integer(range.start.line - last.line),
                        .integer(range.start.character - (isSameLine ? last.character : 0)),
                        .integer(range.end.character - range.start.character), .integer(kind.rawValue),
                        .integer(modifiers.reduce(0) { $0 | 1 << $1.rawValue }),
                    ]
                    last = range.start
                }
            }
        }
        return ["data": .array(data)]
    }

    private static func kind(of token: RoledToken) -> (Kind, [Modifier])? {
        func marks(_ deprecation: String?) -> [Modifier] { deprecation == nil ? [] : [.deprecated] }
        switch token.role {
        case .keyword, .constant: return (.keyword, [])
        case .operationName: return (.function, [.declaration])
        case .fragmentName: return (.class, [.declaration])
        case .spread: return (.class, [])
        case .typeName: return (.type, [])
        case .variableDeclaration, .argumentDeclaration: return (.variable, [.declaration])
        case .variable: return (.variable, [])
        case .alias: return (.property, [.declaration])
        case .field(let field, _): return (.property, marks(field?.deprecation))
        case .argument(let value, _), .inputField(let value, _): return (.parameter, marks(value?.deprecation))
        case .enumValue: return (.enumMember, [])
        case .directive: return (.decorator, [])
        case .number: return (.number, [])
        case .string: return (.string, [])
        case .punctuation, .other: return nil
        }
    }
}
