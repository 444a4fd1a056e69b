// Which record an edge of a connection is.

extension RecordSourceProxy {
    private static let edgeMark = ":__edge:"

    /// What all edges of a connection that the client keeps begin with; with the node behind it, it is the identity of
    /// an edge: `client:<connection>:__edge:<node>`.
    ///
    /// Connection and node decide it, so that whether a node is in a connection need not be asked of its edges. A text
    /// and not a place, because it outlives the numbers of the two.
    func edgePrefix(of connection: RecordID) -> String { names.dataID(of: connection).rawValue + Self.edgeMark }

    /// Notes that the edges of a connection were set by hand: they are looked through before the next page is added.
    func noteChangedEdges(of connection: RecordID) {
        if case .bool(true) = value(names.connections.areDistinct, of: connection) {
            put(.bool(false), names.connections.areDistinct, of: connection)
        }
    }

    /// Notes that an edge went or got another node, if it is one of a connection that the client keeps.
    func noteChangedEdge(_ edge: RecordID) {
        // One that had no node when it came goes by its number.
        if case .place(let connection, let key, _) = names.identity(of: edge), key == names.connections.edges {
            noteChangedEdges(of: connection)
        }
        let text = names.dataID(of: edge).rawValue
        guard text.hasPrefix("client:") else { return }
        // Identities may hold the mark themselves: each cut may be the one.
        var rest = text[...]
        while let cut = rest.firstRange(of: Self.edgeMark) {
            if let connection = names.record(DataID(String(text[..<cut.lowerBound])), adding: false) {
                noteChangedEdges(of: connection)
            }
            rest = text[text.index(after: cut.lowerBound)...]
        }
    }
}

extension Substring {
    /// The first place of a text, compared by bytes.
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
    /// The record whose text is a prefix and the text of a node.
    func edge(of node: RecordID, prefix: String) -> RecordID {
        access { names in
            let text = prefix + names.dataID(of: node).rawValue
            return names.records.intern(Array(text.utf8)) ?? .none
        }
    }
}
