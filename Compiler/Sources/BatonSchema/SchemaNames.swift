/// The names that a schema has for what Relay's specifications name: the connections, and the node interface.
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
    /// The field of the query type that finds such an object.
    package var nodeField = "node"
    /// The field with the identifier, of the interface and of any other type.
    package var nodeInterfaceIDField = "id"
    /// The argument of the field that finds an object, and the variable for it in queries that are generated.
    package var nodeInterfaceIDVariable = "id"

    package init() {}
}
