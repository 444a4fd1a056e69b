import BatonSchema
import BatonSyntax

/// What may stand at a cursor, by the tokens before it. A type or field is nil if the schema does not have it.
enum Expectation {
    case definition
    case selection(on: SchemaType?)
    /// The name of a fragment or the word `on`, because the last token is `...`.
    case spread(on: SchemaType?)
    /// The name of a type. The type is nil in the head of a fragment, where any type may stand.
    case typeCondition(on: SchemaType?)
    /// The type of a variable.
    case inputType
    /// The name of an argument. `given` are the names that the list already has.
    case argument(of: ArgumentOwner, given: Set<String>)
    /// A value, which cannot be a variable if it is constant.
    case value(TypeReference?, isConstant: Bool)
    case inputField(of: SchemaType?, given: Set<String>)
    /// The name of a variable of a type, because the last token is `$`.
    case variable(TypeReference?)
    /// The name of a directive, because the last token is `@`.
    case directive(DirectiveLocation)
    /// A token that no list of names can complete.
    case nothing
}
