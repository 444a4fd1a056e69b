/// Relay's directives on fields of a mutation or subscription, as functions for updaters.
///
/// A directive in a document needs no updater: the store does the same work when a response brings the field. Each
/// function takes the field of the payload that would carry the directive. Connections are named by their identity
/// (`DataID.connection(on:key:filters:)`). A connection that is not in the store is skipped, because no component shows
/// it. They throw an ``UpdateError`` once the update has ended, and for what cannot be written.
///
///     try await environment.commit(AddTodoMutation(text: text)) { store, _ in
///         guard let field = store.rootField("addTodo")?.field("todoEdge") else { return }
///         try MutationHandlers.appendEdge(field, to: [connection])
///     }
public enum MutationHandlers {
    /// Does the work of `@deleteRecord`: deletes the records whose IDs the field holds; returns their number.
    ///
    /// The field holds one ID or a list. By default the links to the records are removed too, which Relay does not do.
    ///
    /// Objects of several types may have the same `id`. What an ID means without `type` is decided in this order:
    ///
    /// 1. If the field is the `id` of its object, under any alias: the object's own record, if it was in the store
    ///    before the response. A record that only earlier responses of the same field have written does not count.
    /// 2. The record of the type that the field or its payload names: `deletedFilmId`, the field `deleteFilm`,
    ///    `DeleteFilmPayload`.
    /// 3. The record with this `id` of a type that implements `Node`.
    ///
    /// Otherwise nothing is deleted, and a ``LogEvent`` tells which identities are similar. A payload's own record is
    /// deleted in the same publish, when the updater has seen it.
    @discardableResult
    public static func deleteRecord(
        _ field: RecordField, type: TypeName? = nil, removingReferences: Bool = true
    ) throws(UpdateError) -> Int {
        var done = WorkProgress.Deletions()
        let targets = targets(of: field, type, &done)
        field.record.source.namesakes += done.namesakes
        try field.record.source.delete(targets, removingReferences: removingReferences)
        return targets.count
    }

    /// Returns the records that IDs mean, or would mean if the store had them, and tells the log of those that mean
    /// nothing. Notes the records of objects that only name what is deleted. Leaves out what is done already.
    private static func targets(
        of field: RecordField, _ type: TypeName?, _ done: inout WorkProgress.Deletions
    ) -> [DataID] {
        let meant = MeantRecords(field, type: type)
        var targets: [DataID] = []
        var ended: [String] = []
        for id in meant.ids where !done.ids.contains(id) {
            var target: DataID?
            switch meant.meaning(of: id, isTyped: type != nil) {
            case .certain(let found), .node(let found), .deleted(let found): target = found
            case .nothing(let expected, let near):
                meant.tell(expected ?? DataID(id), near: near)
                target = expected
            }
            if let target { targets.append(target) }
            // Later parts may bring fields of the object itself, so it is deleted anew.
            if target != field.record.dataID { ended.append(id) }
            if let namesake = meant.namesake(of: target, isTyped: type != nil) { done.namesakes.append(namesake) }
        }
        done.ids.formUnion(ended)
        return targets
    }

    /// Does the work of `@deleteEdge`: removes the nodes whose IDs the field holds from connections; returns the number
    /// of removed edges.
    ///
    /// The field holds one ID or a list, whose meaning is decided as in
    /// ``deleteRecord(_:type:removingReferences:)``. If neither the object's own record nor the type that a name says
    /// decides it, a node of the connection with this `id` counts, whatever its type. If the connection has several,
    /// none is removed.
    @discardableResult
    public static func deleteEdge(
        _ field: RecordField, from connections: [DataID], type: TypeName? = nil
    ) throws(UpdateError) -> Int {
        var done = WorkProgress.Deletions()
        return try deleteEdge(field, from: connections, type, &done)
    }

    private static func deleteEdge(
        _ field: RecordField, from connections: [DataID], _ type: TypeName?, _ done: inout WorkProgress.Deletions
    ) throws(UpdateError) -> Int {
        let connections = find(connections, field)
        if connections.isEmpty { return 0 }
        let meant = MeantRecords(field, type: type)
        let types = connections.map { TypesOfNodes($0) }
        var count = 0
        for id in meant.ids where done.ids.insert(id).inserted {
            let meaning = meant.meaning(of: id, isTyped: type != nil)
            var removed = 0
            var several: [DataID] = []
            for (connection, types) in zip(connections, types) {
                switch meaning {
                case .certain(let target): removed += try connection.deleteNode(target)
                case .node(let target), .nothing(.some(let target), _), .deleted(let target):
                    removed += try connection.deleteNode(target)
                    if removed == 0, type == nil { fallthrough }
                case .nothing(nil, _):
                    let found = type == nil ? types.nodes(with: id) : []
                    if found.count > 1 { several += found }
                    if found.count == 1 { removed += try connection.deleteNode(found[0]) }
                }
            }
            count += removed
            if removed > 0 { continue }
            switch meaning {
            case .certain(let target), .node(let target): meant.tell(target, near: several)
            case .nothing(let expected, let near): meant.tell(expected ?? DataID(id), near: several + near)
            case .deleted: break
            }
        }
        return count
    }

    /// The types of the nodes of a connection, for IDs that no name explains.
    private final class TypesOfNodes {
        private let connection: ConnectionProxy
        private lazy var types = Set(connection.nodes.compactMap { $0?.typename })

        init(_ connection: ConnectionProxy) { self.connection = connection }

        /// Returns the nodes of the connection that have an `id`.
        func nodes(with id: String) -> [DataID] {
            let names = connection.record.source.names
            return Set(types.flatMap { names.dataIDs(of: $0, id: id) }).filter(connection.contains).sorted {
                $0.rawValue < $1.rawValue
            }
        }
    }

    /// Does the work of `@appendEdge`: adds the field's edge or edges at the end of connections; returns the number of
    /// added edges.
    @discardableResult
    public static func appendEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.append(edge: edge) }
    }

    /// Does the work of `@prependEdge`: adds the field's edge or edges at the start of connections, one after the
    /// other. Returns the number of added edges.
    @discardableResult
    public static func prependEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.prepend(edge: edge) }
    }

    /// Does the work of `@appendNode`: adds the field's record or records at the end of connections, with edges of a
    /// type. Returns the number of added nodes.
    @discardableResult
    public static func appendNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.append(node: node, edgeType: edgeType)
        }
    }

    /// Does the work of `@prependNode`: adds the field's record or records at the start of connections, one after the
    /// other, with edges of a type. Returns the number of added nodes.
    @discardableResult
    public static func prependNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.prepend(node: node, edgeType: edgeType)
        }
    }

    /// Inserts the records that the field links to, one after the other, into each connection that exists.
    private static func add(
        _ field: RecordField, to connections: [DataID],
        _ insert: (ConnectionProxy, RecordProxy) throws(UpdateError) -> Bool
    ) throws(UpdateError) -> Int {
        var count = 0
        for connection in find(connections, field) {
            for target in targets(field) where try insert(connection, target) { count += 1 }
        }
        return count
    }

    private static func find(_ connections: [DataID], _ field: RecordField) -> [ConnectionProxy] {
        connections.compactMap { field.record.source.connection($0) }
    }

    private static func targets(_ field: RecordField) -> [RecordProxy] {
        field.linkedItems.map(records) ?? []
    }

    /// Returns the records in an item, without nulls. The recursion is bounded by the depth of stored values.
    private static func records(_ item: LinkedItem) -> [RecordProxy] {
        switch item {
        case .null: []
        case .record(let record): [record]
        case .list(let items): items.flatMap(records)
        }
    }
}

extension MutationHandlers {
    /// Does the work of a directive for a record that a response has brought.
    ///
    /// An ID of the root record is skipped, because no response may delete the root.
    static func run(
        _ mutation: BoundMarks.Mutation, of record: RecordProxy, _ parts: WorkInParts? = nil
    ) throws(UpdateError) {
        let field = RecordField(record: record, key: mutation.source)
        if let parts, mutation.kind.adds {
            let result = parts.progress.run(parts.payload) { progress in
                Result { () throws(UpdateError) in try add(mutation, field, parts, &progress) }
            }
            return try result.get()
        }
        switch mutation.kind {
        case .appendEdge: try appendEdge(field, to: mutation.connections)
        case .prependEdge: try prependEdge(field, to: mutation.connections)
        case .appendNode, .prependNode:
            guard let edgeType = mutation.edgeType else { return }
            if mutation.kind == .appendNode {
                try appendNode(field, to: mutation.connections, edgeType: edgeType)
            } else {
                try prependNode(field, to: mutation.connections, edgeType: edgeType)
            }
        case .deleteEdge:
            _ = try delete(record.source, parts) { (done) throws(UpdateError) in
                try deleteEdge(field, from: mutation.connections, nil, &done)
            }
        case .deleteRecord:
            let gone = try delete(record.source, parts) { (done) throws(UpdateError) in targets(of: field, nil, &done) }
            try record.source.deleteMarked(gone.filter { $0 != .root })
        }
    }

    /// Calls `body` with what earlier parts of a response have deleted for the directive.
    private static func delete<Outcome>(
        _ source: RecordSourceProxy, _ parts: WorkInParts?,
        _ body: (inout WorkProgress.Deletions) throws(UpdateError) -> Outcome
    ) throws(UpdateError) -> Outcome {
        guard let parts else {
            var done = WorkProgress.Deletions()
            let outcome = try body(&done)
            source.namesakes += done.namesakes
            return outcome
        }
        let result = parts.progress.run(parts.payload) { progress in
            Result { () throws(UpdateError) in
                let outcome = try body(&progress.deletions)
                // The later fields of an object need its record.
                if parts.isLast { source.namesakes += progress.deletions.namesakes }
                return outcome
            }
        }
        return try result.get()
    }
}

// Edges and nodes that arrive in parts.
extension MutationHandlers {
    /// Inserts the edges that have not been inserted yet, and copies new data to the inserted edges. An edge is
    /// inserted when its node has arrived.
    private static func add(
        _ mutation: BoundMarks.Mutation, _ field: RecordField, _ parts: WorkInParts,
        _ progress: inout WorkProgress.State
    ) throws(UpdateError) {
        let source = field.record.source
        for connection in find(mutation.connections, field) {
            for target in targets(field) {
                let origin = WorkProgress.Source(connection: connection.record.record, edge: target.record)
                if let copy = progress.copies[origin] {
                    guard copy != .none, let keys = parts.written[target.record]?.keys else { continue }
                    let edges = ConnectionEdges(source, connection.record.record)
                    progress.note(edges.carryOn(target.record, as: copy, keys, leavesOutRepeated: true), for: origin)
                    continue
                }
                let isEdge = mutation.kind == .appendEdge || mutation.kind == .prependEdge
                let hasNode = source.value(source.names.connections.node, of: target.record) != nil
                if isEdge, !hasNode, !parts.isLast { continue }
                let copy = try insert(target, into: connection, mutation)
                progress.note(isEdge ? copy ?? .none : .none, for: origin)
            }
        }
    }

    /// Inserts an edge or a node. Returns the edge of the connection; nil if the connection had the node already.
    private static func insert(
        _ target: RecordProxy, into connection: ConnectionProxy, _ mutation: BoundMarks.Mutation
    ) throws(UpdateError) -> RecordID? {
        switch mutation.kind {
        case .appendEdge:
            guard try connection.append(edge: target) else { return nil }
            return ConnectionEdges(target.source, connection.record.record).list?.last
        case .prependEdge:
            guard try connection.prepend(edge: target) else { return nil }
            return ConnectionEdges(target.source, connection.record.record).list?.first
        case .appendNode: _ = try connection.append(node: target, edgeType: mutation.edgeType)
        case .prependNode: _ = try connection.prepend(node: target, edgeType: mutation.edgeType)
        case .deleteEdge, .deleteRecord: break
        }
        return nil
    }
}

extension BoundMarks.Mutation.Kind {
    /// True if the directive adds edges or nodes.
    fileprivate var adds: Bool { self != .deleteEdge && self != .deleteRecord }
}
