import BatonSchema
import BatonSyntax

/// The kind of token that may follow the tokens that were read so far.
enum Expectation {
    case definition
    case selection(on: SchemaType?)
    /// The name of a fragment, or a type condition: the last token is `...`.
    case spread(on: SchemaType?)
    case typeCondition(on: SchemaType?)
    case inputType
    case argument(of: ArgumentOwner, given: Set<String>)
    case value(TypeReference?, isConstant: Bool)
    case inputField(of: SchemaType?, given: Set<String>)
    case variable(TypeReference?)
    case directive(DirectiveLocation)
    case nothing
}
