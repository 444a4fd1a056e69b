import BatonProject
import BatonSchema

/// What a name at a cursor stands for, so that its other occurrences can be found.
enum Occurrence {
    case fragment(String)
    case operation(String)
    /// A variable of an operation, or a declared argument of a fragment.
    case variable(String, definition: Int)
    case fragmentArgument(String, fragment: String)
    case field(SchemaField)
    case type(SchemaType)
    case enumValue(String, SchemaType)
    case input(SchemaInputValue)
    case directive(SchemaDirective)
    /// An alias, and the number of the definition in which it stands.
    case alias(String, definition: Int)
    /// The query that `@refetchable` makes of a fragment.
    case refetchQuery(String)

    /// Makes the occurrence for a token; nil if the token stands for nothing that occurs elsewhere.
    init?(_ token: RoledToken, _ reader: RoleReader, _ schema: Schema?) {
        let name = reader.text(of: token.token)
        switch token.role {
        case .fragmentName, .spread: self = .fragment(name)
        case .operationName: self = .operation(name)
        case .variable, .variableDeclaration: self = .variable(name, definition: token.definition)
        case .argumentDeclaration:
            guard let fragment = reader.definitions[token.definition].name else { return nil }
            self = .fragmentArgument(name, fragment: fragment)
        case .argument(_, of: .fragment(let fragment)): self = .fragmentArgument(name, fragment: fragment)
        case .argument(let value?, _), .inputField(let value?, _): self = .input(value)
        case .field(let field?, _): self = .field(field)
        case .typeName:
            guard let type = schema?.type(named: name) else { return nil }
            self = .type(type)
        case .enumValue(let type?): self = .enumValue(name, type)
        case .directive(let directive?): self = .directive(directive)
        case .alias: self = .alias(name, definition: token.definition)
        default: return nil
        }
    }

    /// Whether a token stands for the same thing, in a file in which all definitions count.
    func matches(_ token: RoledToken, _ reader: RoleReader, _ schema: Schema?) -> Bool {
        guard let other = Occurrence(token, reader, schema) else { return false }
        switch (self, other) {
        case (.fragment(let name), .fragment(let other)), (.operation(let name), .operation(let other)):
            return name == other
        case (.fragmentArgument(let name, let fragment), .fragmentArgument(let other, let otherFragment)):
            return name == other && fragment == otherFragment
        case (.field(let field), .field(let other)): return field === other
        case (.type(let type), .type(let other)): return type === other
        case (.enumValue(let name, let type), .enumValue(let other, let otherType)):
            return name == other && type === otherType
        case (.input(let value), .input(let other)): return value === other
        case (.directive(let directive), .directive(let other)): return directive === other
        default: return false
        }
    }
}
