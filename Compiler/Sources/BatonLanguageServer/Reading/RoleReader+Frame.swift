import BatonSchema
import BatonSyntax

extension RoleReader {
    /// A part of the grammar that is open. Each case carries what the tokens inside it need.
    enum Frame {
        case document
        case operation(OperationKind, hasName: Bool)
        case fragment(FragmentStep, SchemaType?)
        case variables
        case variable(VariableStep, name: String, type: String)
        case selections(SchemaType?)
        case field(SchemaField?)
        /// Behind an alias; the type has the field that follows.
        case aliased(SchemaType?)
        /// Behind `...`.
        case afterSpread(SchemaType?)
        /// Behind `... on`.
        case condition(SchemaType?)
        /// The head of an inline fragment.
        case inline(SchemaType?)
        /// Behind the name of a fragment that is spread.
        case spread(String)
        /// Behind `@`.
        case directiveName(DirectiveLocation, spread: String?)
        case directive(SchemaDirective?, name: String, spread: String?)
        case arguments(ArgumentOwner, given: Set<String>, isDeclaring: Bool)
        /// Behind the name of an argument or input field of a type.
        case argument(TypeReference?)
        /// Behind the colon of an argument, or behind the equals sign of a default value.
        case value(TypeReference?)
        /// Behind `$` in a value.
        case variableUse(TypeReference?)
        case list(TypeReference?)
        case object(SchemaType?, given: Set<String>)
    }

    /// The token that comes next in the head of a fragment; `head` stands for what follows the type.
    enum FragmentStep {
        case name
        case on
        case type
        case head
    }

    /// The token that comes next in the declaration of a variable; `head` stands for what follows the type.
    enum VariableStep {
        case name
        case colon
        case type
        case head
    }
}
