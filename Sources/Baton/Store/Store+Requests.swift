extension Store {
    /// Notes the fetch whose response has landed, and whether the response lacked a selected field.
    func note(_ fetch: FetchNote, of operation: BoundOperation, _ generation: Int) {
        var record = fetch.record
        record.isIncomplete = fetch.looksForMissing && gap(of: operation) != nil
        operations.noteFetch(record, of: operation, generation: generation)
    }

    func writer(of operation: BoundOperation, _ request: Int?) -> Writer {
        operation.artifact.kind == .query ? .query(request: request) : .newer
    }

    /// Notes that a query is in flight, so that newer writes are noted. The caller must call `queryEnds` later. Later
    /// requests of one operation must have greater numbers.
    package func queryBegins(_ request: Int, of operation: BoundOperation? = nil) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.begin(request, of: operation, at: $0.epoch) }
    }

    /// Notes that the query gets no more payloads.
    package func queryEnds(_ request: Int) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.end(request) }
    }
}
