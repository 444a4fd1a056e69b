/// Makes a value from a field of responses and keeps it under another key. A field marked `@handle` in a plan needs
/// such a handler. Relay calls it `handlerProvider`.
///
///     let newest = FieldHandler("newest") { store, field in
///         try field.target.setLinkedRecord(field.source.linkedRecords?.last ?? nil)
///     }
///     let environment = RelayEnvironment(network: network, options: StoreOptions(fieldHandlers: [newest]))
///
/// The body runs whenever a response brings the field, before the updater of a mutation. It sees the store as it will
/// be with that response.
///
/// If the response arrives in parts, the body runs when the field has arrived. It runs again for each payload that
/// writes data which the newest run has read, whichever fragments select the data. Therefore the written value must
/// follow from the data that the body reads, and not from the number of runs. A handler that reads a whole streamed
/// list reads the list once for each payload with items.
///
/// The body is an ordinary update. It runs while no lock is held, and its changes land together with the response. It
/// runs again if the data that it read was changed meanwhile. If it throws, nothing of the response lands and the
/// request fails with ``RelayError/updater(_:)``. It must write ``FieldHandler/Field/target``; otherwise the field
/// reads as missing.
///
/// A response with a field whose handler is not in ``StoreOptions/fieldHandlers`` is refused as a whole with
/// ``RelayError/InvalidResponse/Reason/noHandler(name:field:)``.
public struct FieldHandler: Sendable {
    /// The handler's name in plans. The name `connection` belongs to the store itself.
    public let name: String
    private let body: @Sendable (RecordSourceProxy, FieldHandler.Field) throws -> Void

    /// Makes a handler with a name.
    public init(_ name: String, update body: @escaping @Sendable (RecordSourceProxy, FieldHandler.Field) throws -> Void)
    {
        self.name = name
        self.body = body
    }

    func update(_ handle: BoundMarks.Handle, of record: RecordID, in source: RecordSourceProxy) throws {
        guard let record = record == .root ? source.root : source.existing(record) else { return }
        func values(_ members: [JSONValue.Member]) -> [String: JSONValue] {
            Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        }
        try body(
            source,
            FieldHandler.Field(
                source: RecordField(record: record, key: handle.source),
                target: RecordField(record: record, key: handle.storageKey),
                arguments: values(handle.arguments), filters: values(handle.filters)))
    }
}

extension FieldHandler {
    /// The handled field of a response, for its handler.
    public struct Field {
        /// The field of the response. Its `record` has the field; its `storageKey` includes the arguments.
        public let source: RecordField
        /// The field of the same record that the handler writes and that readers read instead.
        public let target: RecordField
        /// The values of the field's arguments, with variables replaced.
        public let arguments: [String: JSONValue]
        /// The arguments that are part of the target's key.
        public let filters: [String: JSONValue]
    }
}
