/// The smallest unit of the grammar: a kind and a range of bytes. The ignored text before a token is not kept.
package struct Token: Sendable {
    package let kind: Kind
    package let start: UInt32
    package let end: UInt32

    /// Specification: https://spec.graphql.org/September2025/#Token
    package enum Kind: UInt8, Sendable {
        case endOfFile
        case bang
        case dollar
        case ampersand
        case leftParenthesis
        case rightParenthesis
        case spread
        case colon
        case equals
        case at
        case leftBracket
        case rightBracket
        case leftBrace
        case pipe
        case rightBrace
        case name
        case int
        case float
        case string
        case blockString

        /// The text of the token, if all tokens of the kind have the same text.
        var text: String? {
            switch self {
            case .bang: "!"
            case .dollar: "$"
            case .ampersand: "&"
            case .leftParenthesis: "("
            case .rightParenthesis: ")"
            case .spread: "..."
            case .colon: ":"
            case .equals: "="
            case .at: "@"
            case .leftBracket: "["
            case .rightBracket: "]"
            case .leftBrace: "{"
            case .pipe: "|"
            case .rightBrace: "}"
            case .endOfFile, .name, .int, .float, .string, .blockString: nil
            }
        }

        var isBracket: Bool {
            switch self {
            case .leftBrace, .leftBracket, .leftParenthesis, .rightBrace, .rightBracket, .rightParenthesis: true
            default: false
            }
        }

        var isString: Bool { self == .string || self == .blockString }
    }
}
