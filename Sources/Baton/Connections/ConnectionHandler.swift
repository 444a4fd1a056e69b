/// Merges the page of a connection that an answer brought into the connection that the client keeps: Relay's
/// `ConnectionHandler.update`.
///
/// - The first page, and one that was asked for without `after` and `before`, is the whole connection.
/// - A page `after` a cursor is added at the end if the cursor is the one of the connection's end, or if the page ends
///   where the connection does. A page `before` the cursor of the connection's start is added in front of it. Any other
///   page is dropped: nobody knows where it belongs.
/// - A node is there once. Edges are copies, with all that the answer said of them.
/// - The page info is taken over as a whole with the whole connection, or else for the side that grew.
/// - A null connection gives null. A page that comes later joins what there was before, unless a collection has taken
///   some of that: then the page is the whole connection.
struct ConnectionHandler {
    let source: RecordSourceProxy
    private var keys: ConnectionKeys { source.names.connections }

    func update(_ call: HandledCall) {
        let record = call.record
        guard source.state(of: record) == .existing else { return }
        guard let server = link(call.handle.source, of: record) else {
            source.put(source.errors(call.handle.source, of: record), call.handle.storageKey, of: record)
            return
        }
        let own = source.names.record(parent: record, key: call.handle.storageKey)
        let linked = link(call.handle.storageKey, of: record)
        var isNew = false
        if linked == nil, source.state(of: own) != .existing {
            isNew = true
            source.create(own, source.type(of: server) ?? source.names.rootType)
            source.put(.int(0), keys.nextEdge, of: own)
        } else if linked == nil, isTorn(own) {
            isNew = true
            source.put(.null, keys.edges, of: own)
        }
        // The field may have been reset while the connection is still there.
        if linked == nil { source.put(.link(own), call.handle.storageKey, of: record) }
        merge(server, into: ConnectionEdges(source, linked ?? own), call.handle, isNew: isNew)
    }

    private func link(_ key: StorageKeyID, of record: RecordID) -> RecordID? {
        guard case .link(let target) = source.value(key, of: record), source.state(of: target) == .existing else {
            return nil
        }
        return target
    }

    /// Says whether a collection took something of a connection to which nothing led any more: whoever still reads the
    /// record kept only that.
    private func isTorn(_ connection: RecordID) -> Bool {
        var parts = source.value(keys.edges, of: connection)?.linkList ?? []
        if case .link(let info) = source.value(keys.pageInfo, of: connection) { parts.append(info) }
        return parts.contains { $0 != .none && source.state(of: $0) == .unknown }
    }

    private func merge(
        _ server: RecordID, into edges: ConnectionEdges, _ handle: BoundMarks.Handle, isNew: Bool
    ) {
        let connection = edges.connection
        copyFields(of: server, to: connection, except: [keys.edges, keys.pageInfo])
        let serverEdges = source.value(keys.edges, of: server)?.linkList
        let serverInfo = link(keys.pageInfo, of: server)
        let info = link(keys.pageInfo, of: connection)
        let (after, before) = (handle.cursor("after"), handle.cursor("before"))
        if let list = edges.list, let page = serverEdges, !isNew, after != nil || before != nil {
            guard let side = side(after: after, before: before, info, serverInfo) else { return }
            edges.add(page, at: side, to: list)
        } else if let page = serverEdges {
            edges.replace(by: page)
        } else if edges.list == nil, let none = source.value(keys.edges, of: server) {
            source.put(none, keys.edges, of: connection)
        }
        if let info, !isNew, before != nil || after != nil {
            if let serverInfo { update(info, from: serverInfo, isForward: before == nil) }
        } else if let info, !isNew {
            if let serverInfo { copyFields(of: serverInfo, to: info) }
        } else {
            makePageInfo(of: connection, from: serverInfo)
        }
    }

    /// Where a page goes that was asked for by a cursor; nil if it does not join the connection.
    private func side(
        after: JSONValue?, before: JSONValue?, _ info: RecordID?, _ serverInfo: RecordID?
    ) -> ConnectionEdges.Side? {
        guard let info else { return nil }
        if let after {
            let end = source.value(keys.endCursor, of: info)
            if end?.isCursor(after) == true { return .end }
            let pageEnd = serverInfo.flatMap { source.value(keys.endCursor, of: $0) }
            // The rest of a page of which some is there.
            if let end, let pageEnd, end.isIdentical(to: pageEnd) { return .end }
            return nil
        }
        guard let before, source.value(keys.startCursor, of: info)?.isCursor(before) == true else { return nil }
        return .start
    }

    private func copyFields(of record: RecordID, to target: RecordID, except left: [StorageKeyID] = []) {
        source.copyFields(source.keys(of: record).filter { !left.contains($0) }, of: record, to: target)
    }

    private func makePageInfo(of connection: RecordID, from serverInfo: RecordID?) {
        let info = source.names.record(parent: connection, key: keys.pageInfo)
        source.create(info, serverInfo.flatMap { source.type(of: $0) } ?? keys.pageInfoType)
        source.put(
            [keys.hasNextPage, keys.hasPreviousPage, keys.endCursor, keys.startCursor],
            [.bool(false), .bool(false), .null, .null], of: info)
        if let serverInfo { copyFields(of: serverInfo, to: info) }
        source.put(.link(info), keys.pageInfo, of: connection)
    }

    /// Takes over what concerns the side that grew.
    private func update(_ info: RecordID, from serverInfo: RecordID, isForward: Bool) {
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
    /// The value of a paging argument; nil if it is null or absent.
    fileprivate func cursor(_ name: String) -> JSONValue? {
        guard let value = arguments.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }
}

extension Value {
    /// Says whether it is the cursor that was given as an argument.
    fileprivate func isCursor(_ argument: JSONValue) -> Bool {
        if case .string(let text) = self, case .string(let other) = argument { return text.hasSameBytes(as: other) }
        return json { _ in "" } == argument
    }
}

extension StagedRecords {
    /// Adds what the handlers of connections make of this answer on top of a version: the one on which it lands, or
    /// pages get lost. Gives what they read.
    mutating func runConnectionHandlers(_ calls: [HandledCall], over base: Records, _ names: NameTable) -> UpdateReads {
        let source = RecordSourceProxy(base: base, answer: self, names: names, payloadRoot: nil)
        let connections = ConnectionHandler(source: source)
        for call in calls { connections.update(call) }
        let reads = source.reads
        append(source.finish(), names)
        return reads
    }
}
