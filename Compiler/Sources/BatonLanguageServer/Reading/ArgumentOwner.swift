import BatonSchema

/// The field, the directive or the fragment to which a list of arguments belongs. A field or directive is nil if the
/// schema does not have it.
enum ArgumentOwner {
    case field(SchemaField?)
    case directive(SchemaDirective?)
    /// The name of a fragment, to which a spread passes arguments in `@arguments`.
    case fragment(String)
}
