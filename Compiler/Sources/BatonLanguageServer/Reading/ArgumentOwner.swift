import BatonSchema

/// What has arguments.
enum ArgumentOwner {
    case field(SchemaField?)
    case directive(SchemaDirective?)
    /// The fragment of a spread with `@arguments`.
    case fragment(String)
}
