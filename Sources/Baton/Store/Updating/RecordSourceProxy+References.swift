// Deletion of records together with the links to them.

extension RecordSourceProxy {
    /// Deletes a record. If `removingReferences` is true, also removes the list items and connection edges that link to
    /// it, in the whole store.
    ///
    /// A deletion alone leaves nulls in lists and connections, as Relay's `@deleteRecord` does.
    /// ``removeReferences(to:)`` explains what is removed and at what cost.
    public func delete(_ id: DataID, removingReferences: Bool) throws(UpdateError) {
        noteUnknown(id)
        try delete([id], removingReferences: removingReferences)
    }

    /// Deletes records, and looks for the links to all of them together.
    func delete(_ ids: [DataID], removingReferences: Bool) throws(UpdateError) {
        for id in ids { try remove(id) }
        guard removingReferences, !ids.isEmpty else { return }
        noteWholeStore()
        removeReferences(to: Set(ids.compactMap { known($0) }))
    }

    /// Removes a record, which may be deleted, from every list and every connection of the store. Returns the number of
    /// removed items and edges.
    ///
    /// - List items that link to the record are removed, in lists of lists too. A field that links to the record
    ///   directly stays; it reads as null once the record is deleted.
    /// - Edges whose node is the record are removed from every connection. If a removed edge was the first or the last
    ///   and the page info has its cursor, the page info gets the cursor of the new first or last edge. It becomes null
    ///   if no edge is left. The next page can then be requested.
    ///
    /// The call visits the links of the whole store, once for the record and once more for its edges. That takes a few
    /// milliseconds for 100,000 records. If the list is known, `RecordField.remove(_:)` and
    /// ``ConnectionProxy/deleteNode(_:)`` cost less.
    @discardableResult
    public func removeReferences(to id: DataID) throws(UpdateError) -> Int {
        guard records != nil else { throw .ended }
        noteWholeStore()
        guard let target = known(id) else { return 0 }
        return removeReferences(to: [target])
    }

    @discardableResult
    private func removeReferences(to targets: Set<RecordID>) -> Int {
        let search = RecordSearch(targets)
        var count = 0
        var edges: Set<RecordID> = []
        for place in references(to: targets) {
            if place.key == names.connections.node, case .link = value(place.key, of: place.record) {
                edges.insert(place.record)
            } else {
                count += remove(search, at: place)
            }
        }
        for place in references(to: edges) where place.key == names.connections.edges {
            count += removeEdges(edges, of: place.record)
        }
        return count
    }

    /// Returns the fields that link to one of the records, including the changes of the update.
    private func references(to targets: Set<RecordID>) -> [Records.Reference] {
        guard let records, !targets.isEmpty else { return [] }
        let wanted = RecordSearch(targets)
        var places = records.base.references(to: targets)
        var known = Set(places)
        for record in records.standingApart {
            for key in records.keys(of: record) {
                let place = Records.Reference(record: record, key: key)
                if known.insert(place).inserted { places.append(place) }
            }
        }
        for staged in [records.response, records.own] {
            for (position, entry) in (staged?.entries ?? []).enumerated() {
                guard let staged else { break }
                for (key, value) in zip(staged.shape(position).keys, staged.values(position)) where wanted.isIn(value) {
                    let place = Records.Reference(record: entry.record, key: key)
                    if known.insert(place).inserted { places.append(place) }
                }
            }
        }
        // Fields that the update has changed may no longer link to the records.
        return places.filter { place in records.value(place.key, of: place.record).map(wanted.isIn) ?? false }
    }

    private func remove(_ targets: RecordSearch, at place: Records.Reference) -> Int {
        guard let value = value(place.key, of: place.record) else { return 0 }
        var count = 0
        let rest = value.removing(targets, &count)
        guard count > 0 else { return 0 }
        // The removed links may be edges of a connection themselves, and not the nodes of edges.
        if place.key == names.connections.edges { noteChangedEdges(of: place.record) }
        put(rest, place.key, of: place.record)
        return count
    }

    /// Removes edges from a connection and corrects the cursors of its page info.
    private func removeEdges(_ gone: Set<RecordID>, of connection: RecordID) -> Int {
        let keys = names.connections
        guard case .links(let edges) = value(keys.edges, of: connection) else { return 0 }
        let search = RecordSearch(gone)
        let rest = edges.filter { !search.contains($0) }
        guard rest.count < edges.count else { return 0 }
        put(.links(rest), keys.edges, of: connection)
        if case .link(let pageInfo) = value(keys.pageInfo, of: connection), state(of: pageInfo) == .existing {
            if let first = edges.first, search.contains(first) {
                mend(keys.startCursor, of: pageInfo, from: first, to: rest)
            }
            if let last = edges.last, search.contains(last) {
                mend(keys.endCursor, of: pageInfo, from: last, to: rest.reversed())
            }
        }
        return edges.count - rest.count
    }

    private func mend(_ key: StorageKeyID, of pageInfo: RecordID, from gone: RecordID, to edges: [RecordID]) {
        let cursor = names.connections.cursor
        guard case .string(let old) = value(key, of: pageInfo) else { return }
        // The page info's cursor comes from the server. It changes only if the removed edge has the same cursor.
        guard case .string(let own) = value(cursor, of: gone), own.hasSameBytes(as: old) else { return }
        if edges.isEmpty { return put(.null, key, of: pageInfo) }
        for edge in edges where edge != .none && state(of: edge) == .existing {
            if case .string(let next) = value(cursor, of: edge) { return put(.string(next), key, of: pageInfo) }
        }
    }
}

extension Value {
    /// Returns the value without the list items that link to the given records.
    fileprivate func removing(_ targets: RecordSearch, _ count: inout Int) -> Value {
        switch self {
        case .links(let records):
            let rest = records.filter { !targets.contains($0) }
            count += records.count - rest.count
            return rest.count < records.count ? .links(rest) : self
        case .list(let values):
            var rest: [Value] = []
            for value in values {
                if case .link(let record) = value, targets.contains(record) {
                    count += 1
                } else {
                    rest.append(value.removing(targets, &count))
                }
            }
            return .list(rest)
        default: return self
        }
    }
}
