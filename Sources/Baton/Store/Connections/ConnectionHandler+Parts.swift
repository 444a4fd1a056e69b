// Pages that arrive in parts.

extension ConnectionHandler {
    /// Merges the page as soon as its edges have arrived. Later payloads only add their data to the merged page.
    func update(
        _ handle: BoundMarks.Handle, of record: RecordID, from server: RecordID, _ parts: WorkInParts
    ) {
        parts.progress.run(parts.payload) { progress in
            if parts.wrote(keys.edges, of: server) { progress.hasEdges = true }
            // An edge list of an earlier response is no part of this page.
            guard progress.hasEdges || parts.isLast else { return }
            if let info = link(keys.pageInfo, of: server), parts.wrote(keys.endCursor, of: info) {
                progress.hasEnd = true
            }
            if progress.merge == .none {
                if !progress.hasEnd, !parts.isLast, isJoinedByEnd(handle, of: record) { return }
                let copies = EdgeCopies()
                let (connection, merge) = begin(
                    handle, of: record, from: server, noting: copies, isEndKnown: progress.hasEnd)
                progress.merge = merge
                note(copies, of: server, in: connection, &progress)
            } else if let connection = link(handle.storageKey, of: record) {
                let own = parts.written[server]?.keys.filter { $0 != keys.edges && $0 != keys.pageInfo } ?? []
                if !own.isEmpty { source.copyFields(own, of: server, to: connection) }
                if progress.merge == .dropped { return }
                carryOnEdges(of: server, in: connection, parts, &progress)
                carryOnPageInfo(of: server, in: connection, progress.merge, parts)
            }
        }
    }

    /// Returns true if a page does not follow the connection by its cursor, so that the page's end cursor decides.
    private func isJoinedByEnd(_ handle: BoundMarks.Handle, of record: RecordID) -> Bool {
        guard let after = handle.cursor("after"), let connection = link(handle.storageKey, of: record),
            ConnectionEdges(source, connection).list != nil, let info = link(keys.pageInfo, of: connection)
        else { return false }
        return source.value(keys.endCursor, of: info)?.isCursor(after) != true
    }

    /// Notes the connection's edges for the edges of the page.
    private func note(
        _ copies: EdgeCopies, of server: RecordID, in connection: RecordID, _ progress: inout WorkProgress.State
    ) {
        let page = source.value(keys.edges, of: server)?.linkList ?? []
        for edge in page[progress.count...] where edge != .none {
            progress.note(copies.all[edge] ?? .none, for: .init(connection: connection, edge: edge))
        }
        progress.count = page.count
        progress.last = page.last ?? .none
    }

    private func carryOnEdges(
        of server: RecordID, in connection: RecordID, _ parts: WorkInParts, _ progress: inout WorkProgress.State
    ) {
        for (edge, shape) in parts.written where edge != server {
            let origin = WorkProgress.Source(connection: connection, edge: edge)
            guard let copy = progress.copies[origin], copy != .none else { continue }
            let edges = ConnectionEdges(source, connection)
            let now = edges.carryOn(edge, as: copy, shape.keys, leavesOutRepeated: progress.merge != .whole)
            if now != copy { progress.note(now, for: origin) }
        }
        guard parts.wrote(keys.edges, of: server) else { return }
        let copies = EdgeCopies()
        let edges = ConnectionEdges(source, connection, noting: copies)
        guard let page = source.value(keys.edges, of: server)?.linkList else {
            if edges.list == nil { source.copyFields([keys.edges], of: server, to: connection) }
            return
        }
        let continues =
            page.count >= progress.count && (progress.count == 0 || page[progress.count - 1] == progress.last)
        if progress.merge == .whole, !continues || edges.list == nil {
            progress.forgetCopies()
            progress.count = 0
            edges.replace(by: page)
            source.copyErrors([keys.edges], of: server, to: connection)
        } else if continues, page.count > progress.count, let list = edges.list {
            func own(_ edge: RecordID) -> RecordID? {
                progress.copies[.init(connection: connection, edge: edge)]
            }
            let new = Array(page[progress.count...])
            switch progress.merge {
            case .whole: edges.append(new, after: own(progress.last), to: list)
            case .atStart:
                let known = Set(page.compactMap(own))
                progress.count = 0
                edges.add(page, at: .start, to: list.filter { !known.contains($0) })
            default: edges.add(new, at: .end, to: list)
            }
        } else {
            return
        }
        note(copies, of: server, in: connection, &progress)
    }

    private func carryOnPageInfo(
        of server: RecordID, in connection: RecordID, _ merge: WorkProgress.Merge, _ parts: WorkInParts
    ) {
        guard let serverInfo = link(keys.pageInfo, of: server) else { return }
        let isWritten = parts.wrote(keys.pageInfo, of: server)
        guard isWritten || parts.written[serverInfo] != nil else { return }
        guard let info = link(keys.pageInfo, of: connection) else {
            if merge == .whole { makePageInfo(of: connection, from: serverInfo) }
            return
        }
        if merge != .whole {
            update(info, from: serverInfo, isForward: merge == .atEnd)
        } else if source.type(of: info) != source.type(of: serverInfo) {
            makePageInfo(of: connection, from: serverInfo)
        } else {
            let written = isWritten ? source.keys(of: serverInfo) : parts.written[serverInfo]?.keys ?? []
            source.copyFields(written, of: serverInfo, to: info)
        }
    }
}

extension ConnectionEdges {
    /// Copies more fields of a response's edge to this connection's copy of the edge. Returns the copy. If the node of
    /// the edge arrives only now, the result is the edge whose identity belongs to the node.
    ///
    /// - Parameter leavesOutRepeated: True if the edge is left out when its node is in the list already.
    func carryOn(
        _ edge: RecordID, as copy: RecordID, _ keys: [StorageKeyID], leavesOutRepeated: Bool
    ) -> RecordID {
        guard isThere(copy), isThere(edge) else { return copy }
        guard let node = target(of: edge), node != target(of: copy) else {
            source.copyFields(keys, of: edge, to: copy)
            return copy
        }
        guard target(of: copy) == nil, var list, let position = list.firstIndex(of: copy) else {
            source.noteChangedEdge(copy)
            source.copyFields(keys, of: edge, to: copy)
            return copy
        }
        let own = ownEdge(of: node)
        guard isThere(own), list.contains(own) else {
            list[position] = self.copy(edge, as: own)
            set(list, areDistinct: areDistinct)
            return own
        }
        if leavesOutRepeated {
            list.remove(at: position)
            set(list, areDistinct: areDistinct)
            return .none
        }
        source.copyFields(keys, of: edge, to: copy)
        set(list, areDistinct: false)
        return copy
    }

    /// Adds edges of a response after the edges of earlier payloads. Nulls and repeated nodes stay.
    func append(_ edges: [RecordID], after last: RecordID?, to list: [RecordID]) {
        var areDistinct = areDistinct || list.isEmpty
        let owns = edges.map { target(of: $0).map(ownEdge) }
        // A record that was never written cannot be in the list. All other records are searched for in one pass.
        let candidates = RecordSearch(Set(owns.compactMap(\.self).filter { source.state(of: $0) != .unknown }))
        var seen = candidates.isEmpty ? [] : Set(list.filter { candidates.contains($0) })
        var added: [RecordID] = []
        for (edge, own) in zip(edges, owns) {
            if !isThere(edge) {
                added.append(.none)
                areDistinct = false
            } else if let own, !seen.insert(own).inserted {
                added.append(copy(edge, as: nil))
                areDistinct = false
            } else {
                added.append(copy(edge, as: own))
            }
        }
        var result = list
        if last == nil || list.last == last {
            result += added
        } else {
            let position = last.flatMap(list.lastIndex).map { $0 + 1 } ?? list.count
            result.insert(contentsOf: added, at: position)
        }
        set(result, areDistinct: areDistinct)
    }
}
