// The identities of a connection's edges.

extension RecordSourceProxy {
    private static let edgeMark = ":__edge:"

    /// Returns the common beginning of the identities of a connection's edges. The identity of an edge is
    /// `client:<connection>:__edge:<node>`.
    ///
    /// The connection and the node decide the identity, so a node can be found without reading the edges. The identity
    /// is a text and not a place, because it outlives the numbers of the connection and the node.
    func edgePrefix(of connection: RecordID) -> String { names.dataID(of: connection).rawValue + Self.edgeMark }

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
        // Data IDs may themselves contain the mark, so each occurrence is tried.
        var rest = text[...]
        while let cut = rest.firstRange(of: Self.edgeMark) {
            if let connection = known(DataID(String(text[..<cut.lowerBound]))) {
                noteChangedEdges(of: connection)
            }
            rest = text[text.index(after: cut.lowerBound)...]
        }
    }
}

extension Substring {
    /// Returns the first occurrence of a text, compared by bytes.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].utf8.starts(with: text.utf8) {
                return start..<utf8.index(start, offsetBy: text.utf8.count)
            }
            utf8.formIndex(after: &start)
        }
        return nil
    }
}

extension NameTable {
    /// Returns the record whose identity is a prefix followed by the identity of a node.
    func edge(of node: RecordID, prefix: String) -> RecordID {
        access { names in
            let text = prefix + names.dataID(of: node).rawValue
            return names.records.intern(Array(text.utf8)) ?? .none
        }
    }
}
