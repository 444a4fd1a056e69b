extension RecordSourceProxy {
    /// Runs the handlers of the fields that an answer brought, in their order, before any updater sees them; throws
    /// what one of the application's throws.
    func runHandlers(_ calls: [HandledCall], _ handlers: [FieldHandler]) throws {
        for call in calls {
            if call.isOfStore {
                ConnectionHandler(source: self).update(call)
            } else {
                try handlers.first { $0.name == call.handle.name }?.update(call, in: self)
            }
        }
    }
}
