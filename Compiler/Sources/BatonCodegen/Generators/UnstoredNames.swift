/// What no file on disk is to have, by names of the schema and the documents.
package struct UnstoredNames: Sendable, Hashable {
    /// The types whose records a file does not have: object types, interfaces and unions.
    package var types: Set<String> = []
    /// The fields, each as `Type.field`.
    package var fields: Set<String> = []
    /// The operations.
    package var operations: Set<String> = []

    package init() {}

    package var isEmpty: Bool { types.isEmpty && fields.isEmpty && operations.isEmpty }
}
