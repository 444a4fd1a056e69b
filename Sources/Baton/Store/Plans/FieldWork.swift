/// The work of the store when a response brings a field.
enum FieldWork: Sendable {
    /// A handler keeps a copy of the field under another key.
    case copy(BoundMarks.Handle)
    /// A directive such as `@appendEdge` changes connections or records.
    case mutation(BoundMarks.Mutation)
}
