/// Keeps something of a field that answers bring under another key: what a field marked `@handle` in a plan needs.
/// Relay's `handlerProvider`.
///
///     let newest = FieldHandler("newest") { store, field in
///         try field.target.setLinkedRecord(field.source.linkedRecords?.last ?? nil)
///     }
///     let environment = RelayEnvironment(network: network, options: StoreOptions(fieldHandlers: [newest]))
///
/// The body runs whenever an answer brings the field, with the store as it will be with that answer, before the updater
/// of a mutation. It is an update like any other: it runs outside every lock, its changes land together with the
/// answer, and it runs again if what it read was changed meanwhile. If it throws, nothing of the answer lands, and the
/// request fails with ``RelayError/updater(_:)``. It must write ``HandledField/target``, or the field reads as missing.
///
/// An answer that brings a field whose handler is not among ``StoreOptions/fieldHandlers`` is refused as a whole:
/// ``ResponseError/Reason/noHandler(name:field:)``.
public struct FieldHandler: Sendable {
    /// What plans call it; `connection` is the store's own.
    public let name: String
    private let body: @Sendable (RecordSourceProxy, HandledField) throws -> Void

    /// Makes a handler of that name.
    public init(_ name: String, update body: @escaping @Sendable (RecordSourceProxy, HandledField) throws -> Void) {
        self.name = name
        self.body = body
    }

    func update(_ call: HandledCall, in source: RecordSourceProxy) throws {
        guard let record = call.record == .root ? source.root : source.existing(call.record) else { return }
        func values(_ members: [JSONValue.Member]) -> [String: JSONValue] {
            Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        }
        try body(
            source,
            HandledField(
                source: RecordField(record: record, key: call.handle.source),
                target: RecordField(record: record, key: call.handle.storageKey),
                arguments: values(call.handle.arguments), filters: values(call.handle.filters)))
    }
}

/// A field that an answer has brought, for the handler that keeps something of it.
public struct HandledField {
    /// What the answer brought; its `record` has the field, its `storageKey` tells it from the same field with other
    /// arguments.
    public let source: RecordField
    /// Where readers of the field look: the field of the same record that the handler writes.
    public let target: RecordField
    /// The values of the field's arguments, variables replaced.
    public let arguments: [String: JSONValue]
    /// Those of them that belong to the key of the target.
    public let filters: [String: JSONValue]
}
