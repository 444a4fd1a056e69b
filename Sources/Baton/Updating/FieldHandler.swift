/// Keeps something of a field that answers bring under another key: what a field marked `@handle` in a plan needs. Relay's `handlerProvider`.
///
///     let newest = FieldHandler("newest") { store, field in
///         try field.target.setLinkedRecord(field.source.linkedRecords?.last ?? nil)
///     }
///     let environment = RelayEnvironment(network: network, options: StoreOptions(fieldHandlers: [newest]))
///
/// The body runs whenever an answer brings the field, with the store as it will be with that answer, before the updater of a mutation. It is an update like any other:
/// it runs outside every lock, its changes land together with the answer, and it runs again if what it read was changed meanwhile. If it throws, nothing of the answer lands,
/// and the request fails with ``RelayError/updater(_:)``. It must write ``HandledField/target``, or the field reads as missing.
///
/// An answer that brings a field whose handler is not among ``StoreOptions/fieldHandlers`` is refused as a whole: ``ResponseError/Reason/noHandler(name:field:)``.
public struct FieldHandler: Sendable {
    /// What plans call it; `connection` is the store's own.
    public let name: String
    private let body: @Sendable (RecordSourceProxy, HandledField) throws -> Void

    /// Makes a handler of that name.
    public init(_ name: String, update body: @escaping @Sendable (RecordSourceProxy, HandledField) throws -> Void) {
        self.name = name
        self.body = body
    }

    fileprivate func update(_ call: HandledCall, in source: RecordSourceProxy) throws {
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
    /// What the answer brought; its `record` has the field, its `storageKey` tells it from the same field with other arguments.
    public let source: RecordField
    /// Where readers of the field look: the field of the same record that the handler writes.
    public let target: RecordField
    /// The values of the field's arguments, variables replaced.
    public let arguments: [String: JSONValue]
    /// Those of them that belong to the key of the target.
    public let filters: [String: JSONValue]
}

extension RecordSourceProxy {
    /// Runs the handlers of the fields that an answer brought, in their order, before any updater sees them; throws what one of the application's throws.
    func runHandlers(_ calls: [HandledCall]) throws {
        for call in calls {
            if call.handle.name == ConnectionHandler.name {
                ConnectionHandler(source: self).update(call)
            } else {
                try names.handler(call.handle.name)?.update(call, in: self)
            }
        }
    }
}

extension NameTable {
    fileprivate func handler(_ name: String) -> FieldHandler? { fieldHandlers.first { $0.name == name } }

    /// Says whose handler is missing for what an answer brought.
    func checkHandlers(_ staged: borrowing StagedRecords) throws(ResponseError) {
        for call in staged.handled where !call.isOfStore && handler(call.handle.name) == nil {
            throw ResponseError(.noHandler(name: call.handle.name, field: name(of: call.handle.source)))
        }
    }
}

extension HandledCall {
    /// The store itself takes care of it, and no code of the application runs.
    var isOfStore: Bool { handle.name == ConnectionHandler.name }
}

extension StagedRecords {
    /// Code of the application has to run before it lands.
    var needsFieldHandlers: Bool { !handled.isEmpty && handled.contains { !$0.isOfStore } }
}
