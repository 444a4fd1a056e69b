// Pages that arrive in parts.

extension ConnectionHandler {
    /// Merges the page as soon as its edges have come, and then carries on what else comes.
    func update(_ handle: BoundMarks.Handle, of record: RecordID, _ parts: WorkInParts) {
        parts.progress.run(parts.payload) { progress in
            guard let server = link(handle.source, of: record) else {
                if progress.merge == .none, parts.isTooEarly { return }
                progress.merge = .dropped
                return setNull(handle, of: record)
            }
            let info = link(keys.pageInfo, of: server)
            let own = progress.bring(parts.written[server]?.keys ?? [], of: server)
            let ownInfo = info.map { progress.bring(parts.written[$0]?.keys ?? [], of: $0) } ?? []
            if parts.wrote(keys.edges, of: server) { progress.hasEdges = true }
            if let info, parts.wrote(keys.endCursor, of: info) { progress.hasEnd = true }
            // An edge list of an earlier response says nothing about this page.
            guard progress.hasEdges || parts.isLast else { return }
            if progress.merge == .none {
                if parts.isTooEarly { return }
                if !progress.hasEnd, !parts.isLast, isJoinedByEnd(handle, of: record) { return }
                let copies = EdgeCopies()
                let (connection, merge) = begin(
                    handle, of: record, from: server, noting: copies, isEndKnown: progress.hasEnd)
                progress.merge = merge
                noteCopies(of: server, info, in: connection, progress)
                note(copies, of: server, in: connection, &progress)
            } else if let connection = link(handle.storageKey, of: record) {
                let fields = own.filter { $0 != keys.edges && $0 != keys.pageInfo }
                if !fields.isEmpty { source.copyFields(fields, of: server, to: connection) }
                if progress.merge == .dropped { return }
                carryOnEdges(handle, of: server, in: connection, parts, &progress)
                let isNew = own.contains(keys.pageInfo)
                if isNew || !ownInfo.isEmpty {
                    carryOnPageInfo(of: server, in: connection, progress.merge, isNew ? nil : ownInfo)
                    noteCopies(of: server, info, in: connection, progress)
                }
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

    /// Notes that the connection and its page info are filled from those of the page.
    private func noteCopies(
        of server: RecordID, _ info: RecordID?, in connection: RecordID, _ progress: WorkProgress.State
    ) {
        progress.note(connection, of: server)
        guard let info, progress.merge == .whole, let copy = link(keys.pageInfo, of: connection) else { return }
        progress.note(copy, of: info)
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
        _ handle: BoundMarks.Handle, of server: RecordID, in connection: RecordID, _ parts: WorkInParts,
        _ progress: inout WorkProgress.State
    ) {
        var meetsKnown = false
        var withCursor: Set<RecordID> = []
        defer {
            if progress.merge == .atEnd {
                if meetsKnown { place(handle, of: server, in: connection, progress) }
                if !withCursor.isEmpty { carryOnStart(in: connection, withCursor, progress) }
            }
        }
        for (edge, shape) in parts.written where edge != server {
            let origin = WorkProgress.Source(connection: connection, edge: edge)
            guard let copy = progress.copies[origin], copy != .none else { continue }
            let edges = ConnectionEdges(source, connection)
            let now = edges.carryOn(edge, as: copy, shape.keys, leavesOutRepeated: progress.merge != .whole)
            if now != copy { progress.note(now, for: origin) }
            if now == .none { meetsKnown = true }
            if shape.position(of: keys.cursor) != nil { withCursor.insert(now) }
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
            progress.grown = nil
            edges.replace(by: page)
            source.copyErrors([keys.edges], of: server, to: connection)
        } else if continues, page.count > progress.count, let list = edges.list {
            func own(_ edge: RecordID) -> RecordID? {
                progress.copies[.init(connection: connection, edge: edge)]
            }
            let new = Array(page[progress.count...])
            switch progress.merge {
            case .whole: append(new, after: own(progress.last), to: list, edges, &progress)
            case .atStart:
                let known = Set(page.compactMap(own))
                progress.count = 0
                edges.add(page, at: .start, to: list.filter { !known.contains($0) })
            default: meetsKnown = edges.add(new, at: .end(after: handle.cursor("after")), to: list) || meetsKnown
            }
        } else {
            return
        }
        note(copies, of: server, in: connection, &progress)
    }

    /// Places all edges of a page anew, because edges that came later are in the list already.
    private func place(
        _ handle: BoundMarks.Handle, of server: RecordID, in connection: RecordID, _ progress: WorkProgress.State
    ) {
        let edges = ConnectionEdges(source, connection)
        guard let list = edges.list else { return }
        let members = Set(list)
        var byNode: [RecordID: RecordID] = [:]
        if !edges.areDistinct {
            for edge in list {
                guard let node = edges.target(of: edge), byNode[node] == nil else { continue }
                byNode[node] = edge
            }
        }
        let page = (source.value(keys.edges, of: server)?.linkList ?? []).compactMap { edge -> PagePlacing.Edge? in
            if let copy = progress.copies[.init(connection: connection, edge: edge)], copy != .none {
                return members.contains(copy) ? .added(copy) : nil
            }
            guard let node = edges.target(of: edge) else { return nil }
            return .known(byNode[node] ?? edges.ownEdge(of: node))
        }
        let added = Set(page.lazy.filter { !$0.isKnown }.map(\.record))
        edges.place(
            page, in: list.filter { !added.contains($0) }, after: handle.cursor("after"),
            areDistinct: edges.areDistinct)
    }

    /// Takes the start cursor from the first edge if the payload has brought it, and if the page has put that edge in
    /// front of edges that were there before.
    private func carryOnStart(
        in connection: RecordID, _ withCursor: Set<RecordID>, _ progress: WorkProgress.State
    ) {
        let edges = ConnectionEdges(source, connection)
        guard let list = edges.list, let head = list.first, withCursor.contains(head) else { return }
        let added = Set(progress.copies.values)
        if !list.allSatisfy(added.contains) { edges.setStart(head) }
    }

    /// Adds edges of a response behind the edges that came before them. Nulls and repeated nodes of the page stay; a
    /// node that others have added meanwhile is left out.
    ///
    /// The list is looked through only if others have changed it since (benchmark `parts.connection-growth`).
    private func append(
        _ edges: [RecordID], after last: RecordID?, to list: [RecordID], _ connection: ConnectionEdges,
        _ progress: inout WorkProgress.State
    ) {
        let isInStep =
            !source.hasWritten(keys.edges, of: connection.connection)
            && progress.grown.map {
                listsInStep.hold(keys.edges, of: connection.connection, $0, count: list.count)
            } ?? false
        if !isInStep { progress.setMembers(list) }
        var grown = isInStep ? progress.grown ?? GrowingList(.links(list)) : GrowingList(.links(list))
        progress.grown = nil
        let wereDistinct = connection.areDistinct
        var areDistinct = wereDistinct || list.isEmpty
        var added: [RecordID] = []
        for edge in edges {
            let own = connection.target(of: edge).map(connection.ownEdge)
            if !connection.isThere(edge) {
                added.append(.none)
                areDistinct = false
            } else if let own, progress.isOfOthers(own) {
                continue
            } else if let own, !progress.addMember(own) {
                added.append(connection.copy(edge, as: nil))
                areDistinct = false
            } else {
                added.append(connection.copy(edge, as: own))
            }
        }
        if list.isEmpty || last != nil && list.last != last {
            let position = last.flatMap(list.lastIndex).map { $0 + 1 } ?? list.count
            var result = list
            result.insert(contentsOf: added, at: position)
            return connection.set(result, areDistinct: areDistinct)
        }
        if added.isEmpty {
            progress.grown = isInStep ? grown : nil
            return
        }
        let new = added.map { $0 == .none ? Value.null : .link($0) }
        grown.append(new)
        source.append(new, to: grown, keys.edges, of: connection.connection)
        if areDistinct != wereDistinct { source.put(.bool(areDistinct), keys.areDistinct, of: connection.connection) }
        progress.grown = grown
    }

    /// Carries on fields of the page info, or all if it has come as a whole.
    private func carryOnPageInfo(
        of server: RecordID, in connection: RecordID, _ merge: WorkProgress.Merge, _ fields: [StorageKeyID]?
    ) {
        guard let serverInfo = link(keys.pageInfo, of: server) else { return }
        guard let info = link(keys.pageInfo, of: connection) else {
            if merge == .whole { makePageInfo(of: connection, from: serverInfo) }
            return
        }
        if merge != .whole {
            update(info, from: serverInfo, isForward: merge == .atEnd)
        } else if source.type(of: info) != source.type(of: serverInfo) {
            makePageInfo(of: connection, from: serverInfo)
        } else {
            source.copyFields(fields ?? source.keys(of: serverInfo), of: serverInfo, to: info)
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
}
