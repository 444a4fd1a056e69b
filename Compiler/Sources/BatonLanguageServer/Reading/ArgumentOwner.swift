import BatonSchema

/// A thing that has arguments: a field, a directive, or a fragment that is spread.
enum ArgumentOwner {
    case field(SchemaField?)
    case directive(SchemaDirective?)
    /// The fragment of a spread with `@arguments`.
    case fragment(String)
}
