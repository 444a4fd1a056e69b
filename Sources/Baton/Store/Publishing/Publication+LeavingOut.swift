extension Publication {
    /// Removes all changes of the publication.
    mutating func leaveOut() {
        leftOut = records.entries.indices.map {
            LeftOut(record: records.entries[$0].record, keys: records.shape($0).keys)
        }
        var nothing = StagedRecords()
        nothing.fetch = records.fetch
        records = nothing
        handled = []
        fit = nil
    }

    /// Returns the connections of this response that handlers merge, with their edges and page infos. These records
    /// must have the server's values: changes that others have made to the page of an earlier response do not belong to
    /// the kept connection.
    func pages(over base: borrowing Records, _ names: NameTable) -> Set<RecordID> {
        func value(_ key: StorageKeyID, _ record: RecordID) -> Value? {
            records.position(of: record).flatMap { records.value($0, key) } ?? base.base(of: record).value(key)
        }
        var found: Set<RecordID> = []
        for call in handled {
            guard let handle = call.handle, case .link(let connection)? = value(handle.source, call.record) else {
                continue
            }
            found.insert(connection)
            for key in [names.connections.edges, names.connections.pageInfo] {
                value(key, connection)?.forEachLink { found.insert($0) }
            }
        }
        return found
    }
}
