import BatonSchema
import BatonSyntax

/// What may stand at the end of the tokens so far.
enum Expectation {
    case definition
    case selection(on: SchemaType?)
    /// Behind three dots.
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
