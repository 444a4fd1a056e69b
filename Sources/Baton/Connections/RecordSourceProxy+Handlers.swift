extension RecordSourceProxy {
    /// Runs the handlers of an answer's fields in their order, before any updater sees the fields. Throws the error of
    /// a handler of the application.
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
