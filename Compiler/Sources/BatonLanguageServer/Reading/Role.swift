import BatonSchema
import BatonSyntax

/// The meaning of a token in its document.
enum Role {
    case keyword
    case operationName(OperationKind)
    case fragmentName
    /// A type in a condition or of a variable.
    case typeName
    /// The name behind `$`, where an operation declares it.
    case variableDeclaration
    case variable
    case alias
    /// A field, if the schema has it, and the type on which it is selected, if that is known.
    case field(SchemaField?, on: SchemaType?)
    case argument(SchemaInputValue?, of: ArgumentOwner)
    /// An argument that a fragment declares in `@argumentDefinitions`.
    case argumentDeclaration
    case inputField(SchemaInputValue?, of: SchemaType?)
    case enumValue(SchemaType?)
    case spread
    case directive(SchemaDirective?)
    case number
    case string
    /// `true`, `false` or `null`.
    case constant
    case punctuation
    /// A token that has no place in the grammar of executable documents.
    case other
}
