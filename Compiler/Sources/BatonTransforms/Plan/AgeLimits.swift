/// The age limits of data in seconds, by the names of the schema and the documents.
package struct AgeLimits: Sendable, Hashable {
    /// The limits of queries, by name.
    package var queries: [String: Int] = [:]
    /// The limits of all fields of an object type, interface or union, by the type's name.
    package var types: [String: Int] = [:]
    /// The limits of fields, by the names of type and field.
    package var fields: [String: [String: Int]] = [:]

    package init() {}

    package var isEmpty: Bool { queries.isEmpty && types.isEmpty && fields.isEmpty }
}
