/// The names of a schema for the things in Relay's specifications: connections and the node interface.
///
/// Relay's configuration has the same names under `schemaConfig`.
package struct SchemaNames: Hashable, Sendable {
    // Connections

    package var edges = "edges"
    package var node = "node"
    package var cursor = "cursor"
    package var pageInfo = "pageInfo"
    package var endCursor = "endCursor"
    package var startCursor = "startCursor"
    package var hasNextPage = "hasNextPage"
    package var hasPreviousPage = "hasPreviousPage"

    // Objects with an identity

    /// The interface of the objects that are identified globally.
    package var nodeInterface = "Node"
    /// The field of the query type that finds an object by its identifier.
    package var nodeField = "node"
    /// The name of the field with the identifier, in the interface and in any other type.
    package var nodeInterfaceIDField = "id"
    /// The name of the argument of `nodeField`, and of the variable for it in generated queries.
    package var nodeInterfaceIDVariable = "id"

    package init() {}
}
