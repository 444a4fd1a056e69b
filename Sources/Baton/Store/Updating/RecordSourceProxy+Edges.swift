// What is noted when a connection's edges change by hand.

extension RecordSourceProxy {
    /// Notes that the edges of a connection were set by hand. All edges are then checked before the next page is added.
    func noteChangedEdges(of connection: RecordID) {
        if case .bool(true) = value(names.connections.areDistinct, of: connection) {
            put(.bool(false), names.connections.areDistinct, of: connection)
        }
    }

    /// Notes that an edge was deleted or got another node, if it belongs to a connection that the client keeps.
    func noteChangedEdge(_ edge: RecordID) {
        // An edge that came without a node is identified by its place in the list.
        if case .place(let connection, let key, _) = names.identity(of: edge), key == names.connections.edges {
            noteChangedEdges(of: connection)
        }
        let text = names.dataID(of: edge).rawValue
        guard text.hasPrefix("client:") else { return }
        for (connection, _) in EdgeCuts(of: text) {
            if let connection = known(DataID(connection)) { noteChangedEdges(of: connection) }
        }
    }
}
