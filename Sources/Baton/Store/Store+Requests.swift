extension Store {
    /// From now on what is newer than this query is noted; `queryEnds` must follow. Of one operation, later requests
    /// have greater numbers.
    package func queryBegins(_ request: Int, of operation: BoundOperation? = nil) {
        guard options.keepsNewerFields else { return }
        writer.withLock { order in
            let epoch = state.withLock { $0.epoch }
            order.notes.begin(request, of: operation, at: epoch)
        }
    }

    /// The query has no more answers.
    package func queryEnds(_ request: Int) {
        guard options.keepsNewerFields else { return }
        writer.withLock { $0.notes.end(request) }
    }
}
