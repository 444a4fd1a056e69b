/// Merges a page that a response brought into the connection that the client keeps, as Relay's
/// `ConnectionHandler.update` does.
///
/// - The first page, and any page that was requested without `after` and `before`, becomes the whole connection.
/// - A page `after` a cursor is added at the end if the cursor is the connection's end cursor, or if the page has the
///   same end cursor as the connection. A page `before` the connection's start cursor is added at the beginning. Any
///   other page is dropped, because its place is unknown.
/// - A node occurs once. Edges are copies with all fields of the response's edges.
/// - A page at the end is placed by the nodes that it shares with the list: each new edge goes before the next edge of
///   the page that is in the list (``PagePlacing``). Relay adds all of them at the end.
/// - The page info is replaced as a whole with the whole connection; otherwise only the values for the side that grew.
///   If a page at the end gets edges before all others, the start cursor becomes that of the first edge.
/// - A null connection gives null. A later page is then added to the old connection. If a collection has taken parts of
///   the old connection, the page becomes the whole connection.
/// - A page that comes in parts is merged when its edges have come. Later parts are carried on to the edges, the page
///   info and the fields that the page brought, so that the end is that of a page that came as a whole.
/// - Several pages of one connection in one response are merged in the order of the document, whichever comes first
///   (``LaterPages``). A page has its place where any selection set asks for its field first. A page at a place that
///   the response has not reached yet is not waited for.
struct ConnectionHandler {
    let source: RecordSourceProxy
    /// The lists that are as responses in parts have left them.
    var listsInStep = ListsInStep()
    var keys: ConnectionKeys { source.names.connections }

    func update(_ handle: BoundMarks.Handle, of record: RecordID, _ parts: WorkInParts? = nil) {
        guard source.state(of: record) == .existing else { return }
        if let parts {
            update(handle, of: record, parts)
        } else if let server = link(handle.source, of: record) {
            begin(handle, of: record, from: server)
        } else {
            setNull(handle, of: record)
        }
    }

    /// Makes the connection null as the server's field is.
    func setNull(_ handle: BoundMarks.Handle, of record: RecordID) {
        source.put(source.errors(handle.source, of: record), handle.storageKey, of: record)
    }

    /// Merges a page that has not been merged so far. Returns the connection and how the page was merged.
    @discardableResult
    func begin(
        _ handle: BoundMarks.Handle, of record: RecordID, from server: RecordID, noting copies: EdgeCopies? = nil,
        isEndKnown: Bool = true
    ) -> (connection: RecordID, merge: WorkProgress.Merge) {
        let own = source.names.record(parent: record, key: handle.storageKey)
        let linked = link(handle.storageKey, of: record)
        var isNew = false
        if linked == nil, source.state(of: own) != .existing {
            isNew = true
            source.create(own, source.type(of: server) ?? source.names.rootType)
            source.put(.int(0), keys.nextEdge, of: own)
        } else if linked == nil,
            keys.hasTornParts({ source.value($0, of: own) }, isGone: { source.state(of: $0) == .unknown })
        {
            isNew = true
            source.put(.null, keys.edges, of: own)
        }
        // The field may have been set to null while the connection still exists.
        if linked == nil { source.put(.link(own), handle.storageKey, of: record) }
        let connection = linked ?? own
        let edges = ConnectionEdges(source, connection, noting: copies)
        return (connection, merge(server, into: edges, handle, isNew: isNew, isEndKnown: isEndKnown))
    }

    func link(_ key: StorageKeyID, of record: RecordID) -> RecordID? {
        guard case .link(let target) = source.value(key, of: record), source.state(of: target) == .existing else {
            return nil
        }
        return target
    }

    private func merge(
        _ server: RecordID, into edges: ConnectionEdges, _ handle: BoundMarks.Handle, isNew: Bool,
        isEndKnown: Bool
    ) -> WorkProgress.Merge {
        let connection = edges.connection
        copyFields(of: server, to: connection, except: [keys.edges, keys.pageInfo])
        let serverEdges = source.value(keys.edges, of: server)?.linkList
        let serverInfo = link(keys.pageInfo, of: server)
        let info = link(keys.pageInfo, of: connection)
        let (after, before) = (handle.cursor("after"), handle.cursor("before"))
        var merge = WorkProgress.Merge.whole
        if let list = edges.list, let page = serverEdges, !isNew, after != nil || before != nil {
            let pageInfo = isEndKnown ? serverInfo : nil
            guard let side = side(after: after, before: before, info, pageInfo) else { return .dropped }
            edges.add(page, at: side, to: list)
            merge = if case .end = side { .atEnd } else { .atStart }
        } else if let page = serverEdges {
            edges.replace(by: page)
            source.copyErrors([keys.edges], of: server, to: connection)
        } else if edges.list == nil, source.value(keys.edges, of: server) != nil {
            source.copyFields([keys.edges], of: server, to: connection)
        } else if serverEdges == nil {
            merge = .none
        }
        if let info, !isNew, before != nil || after != nil {
            if let serverInfo { update(info, from: serverInfo, isForward: before == nil) }
        } else if let info, !isNew {
            if let serverInfo { copyFields(of: serverInfo, to: info) }
        } else {
            makePageInfo(of: connection, from: serverInfo)
        }
        return merge
    }

    /// Returns the side on which a page with a cursor belongs; nil if the page does not adjoin the connection.
    private func side(
        after: JSONValue?, before: JSONValue?, _ info: RecordID?, _ serverInfo: RecordID?
    ) -> ConnectionEdges.Side? {
        guard let info else { return nil }
        if let after {
            let end = source.value(keys.endCursor, of: info)
            if end?.isCursor(after) == true { return .end(after: after) }
            let pageEnd = serverInfo.flatMap { source.value(keys.endCursor, of: $0) }
            // The connection already has a part of the page.
            if let end, let pageEnd, end.isIdentical(to: pageEnd) { return .end(after: after) }
            return nil
        }
        guard let before, source.value(keys.startCursor, of: info)?.isCursor(before) == true else { return nil }
        return .start
    }

    func copyFields(of record: RecordID, to target: RecordID, except left: [StorageKeyID] = []) {
        source.copyFields(source.keys(of: record).filter { !left.contains($0) }, of: record, to: target)
    }

    func makePageInfo(of connection: RecordID, from serverInfo: RecordID?) {
        let info = source.names.record(parent: connection, key: keys.pageInfo)
        source.create(info, serverInfo.flatMap { source.type(of: $0) } ?? keys.pageInfoType)
        source.put(
            [keys.hasNextPage, keys.hasPreviousPage, keys.endCursor, keys.startCursor],
            [.bool(false), .bool(false), .null, .null], of: info)
        if let serverInfo { copyFields(of: serverInfo, to: info) }
        source.put(.link(info), keys.pageInfo, of: connection)
    }

    /// Updates the page info for the side that grew.
    func update(_ info: RecordID, from serverInfo: RecordID, isForward: Bool) {
        let hasMore = isForward ? keys.hasNextPage : keys.hasPreviousPage
        let cursor = isForward ? keys.endCursor : keys.startCursor
        if case .bool(true) = source.value(hasMore, of: serverInfo) {
            source.put(.bool(true), hasMore, of: info)
        } else {
            source.put(.bool(false), hasMore, of: info)
        }
        switch source.value(cursor, of: serverInfo) {
        case nil, .null: break
        case .some(let value): source.put(value, cursor, of: info)
        }
    }
}

extension BoundMarks.Handle {
    /// Returns the value of a paging argument; nil if it is null or absent.
    func cursor(_ name: String) -> JSONValue? {
        guard let value = arguments.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }
}

extension Value {
    /// Returns true if the value is the cursor that an argument gives.
    func isCursor(_ argument: JSONValue) -> Bool {
        if case .string(let text) = self, case .string(let other) = argument { return text.hasSameBytes(as: other) }
        return json { _ in "" } == argument
    }
}

extension StagedRecords {
    /// Runs the connection handlers of this response on top of a version and adds their changes. The version must be
    /// the one on which the response lands, or pages get lost. Returns the handlers' reads.
    mutating func runConnectionHandlers(
        _ calls: [HandledCall], over base: Records, _ names: NameTable, _ lists: ListsInStep
    ) -> UpdateReads {
        let source = RecordSourceProxy(base: base, response: self, names: names, payloadRoot: nil)
        let connections = ConnectionHandler(source: source, listsInStep: lists)
        for call in calls {
            if let handle = call.handle { connections.update(handle, of: call.record, call.parts) }
        }
        let reads = source.reads
        append(source.finish(), names)
        return reads
    }
}
