extension NameTable {
    /// Notes that a connection does not exist, if there are connections with a similar identity.
    func noteUnknownConnection(_ id: DataID, in records: borrowing Records) {
        guard id.isConnection, withSpelling({ $0.maySeek(id) }) else { return }
        let near = records.connections(near: id, self).map(\.rawValue)
        if !near.isEmpty { withSpelling { $0.tell(.connection(id), near: near) } }
    }
}
