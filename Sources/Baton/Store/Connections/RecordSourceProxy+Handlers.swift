extension RecordSourceProxy {
    /// Does the work for a response's fields in their order, before any updater sees the fields. Throws the error of a
    /// handler of the application. The caller must call `deleteNamesakes` when the updater has seen the fields.
    func runHandlers(_ calls: [HandledCall], _ handlers: [FieldHandler]) throws {
        for call in calls {
            switch call.work {
            case .copy(let handle) where call.isPage:
                ConnectionHandler(source: self).update(handle, of: call.record, call.parts)
            case .copy(let handle):
                guard let handler = handlers.first(where: { $0.name == handle.name }) else { continue }
                let reads = try collectReads { try handler.update(handle, of: call.record, in: self) }
                call.parts?.progress.note(reads.ofHandler)
            case .mutation(let mutation):
                if let record = existing(call.record) { try MutationHandlers.run(mutation, of: record, call.parts) }
            }
        }
        try endDirectives()
    }
}
