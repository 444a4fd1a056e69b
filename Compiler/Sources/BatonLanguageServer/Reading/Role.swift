import BatonSchema
import BatonSyntax

/// The meaning of a token in its document.
enum Role {
    case keyword
    case operationName(OperationKind)
    case fragmentName
    /// The name of a type in a condition or in the declaration of a variable.
    case typeName
    /// The name of a variable in its declaration, without the `$`.
    case variableDeclaration
    /// The name of a variable in a value, without the `$`.
    case variable
    case alias
    /// The name of a field. The field is nil if the schema does not have it, and the type on which it is selected is
    /// nil if that type is not known.
    case field(SchemaField?, on: SchemaType?)
    /// The name of an argument. The argument is nil if the schema does not have it, or if a fragment declares it.
    case argument(SchemaInputValue?, of: ArgumentOwner)
    /// The name of an argument that a fragment declares in `@argumentDefinitions`.
    case argumentDeclaration
    case inputField(SchemaInputValue?, of: SchemaType?)
    case enumValue(SchemaType?)
    /// The name of a fragment behind `...`.
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
