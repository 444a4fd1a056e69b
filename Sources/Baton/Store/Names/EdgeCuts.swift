/// The connections and nodes that the text of an edge's identity may name.
///
/// The identity of an edge that the client keeps is `client:<connection>:__edge:<node>`. The two decide the identity,
/// so a node can be found without reading the edges. The identity is a text and not a place, because it outlives the
/// numbers of the connection and the node.
///
/// Data IDs may contain the mark too, so each occurrence is a cut. A server chooses the text, so cuts are made one by
/// one.
struct EdgeCuts: Sequence, IteratorProtocol {
    fileprivate static let mark = ":__edge:"

    private let text: String
    private var rest: Substring

    init(of text: String) {
        self.text = text
        rest = text[...]
    }

    mutating func next() -> (connection: String, node: String)? {
        guard let cut = rest.firstRange(of: Self.mark) else { return nil }
        rest = text[text.index(after: cut.lowerBound)...]
        return (String(text[..<cut.lowerBound]), String(text[cut.upperBound...]))
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
    /// Returns the common beginning of the identities of a connection's edges.
    func edgePrefix(of connection: RecordID) -> String { dataID(of: connection).rawValue + EdgeCuts.mark }

    /// Returns the record whose identity is a prefix followed by the identity of a node.
    func edge(of node: RecordID, prefix: String) -> RecordID {
        access { names in
            let text = prefix + names.dataID(of: node).rawValue
            return names.records.intern(Array(text.utf8)) ?? .none
        }
    }
}
