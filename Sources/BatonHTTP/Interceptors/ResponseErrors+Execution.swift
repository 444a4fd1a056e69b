import Baton

// The signs in a response that its operation was carried out. Each step that sends an operation again because of errors
// in a response uses these rules, so that no mutation has its effect twice.

extension ResponseErrors {
    /// True if the server carried out a part of the operation: there is data, or an error names a place in the data.
    /// Errors that were not read, because they are too many or too long, count as errors with a place.
    var showsExecution: Bool { hasData || hasUnreadErrors || errors.contains { $0.path != nil } }

    /// True if no part of the operation was carried out, so that the operation may be sent again.
    ///
    /// - A query has no effect: it may be sent again unless there is data.
    /// - A mutation was not begun if the status is 401 or 407. Nor was it if the response has errors without a `path`
    ///   and no member `data` (specification, section 7.1.2: a request error). A status of 500 or more proves nothing.
    ///   With any status, data or a `path` shows that the mutation was carried out.
    /// - A subscription was not begun if there is no member `data`; otherwise the response is an event.
    ///
    /// - Parameters:
    ///   - status: The HTTP status of this response; nil if there is none of its own.
    ///   - mayHaveNull: True for errors that are always request errors, although some servers write `data: null` beside
    ///     them.
    func saysNothingRan(of kind: OperationKind, status: Int?, mayHaveNull: Bool = false) -> Bool {
        switch kind {
        case .query: return !hasData
        case .subscription: return !hasDataMember || !showsExecution
        case .mutation:
            if showsExecution { return false }
            if Self.isRejection(status) { return true }
            return (status ?? 200) < 500 && !errors.isEmpty && (mayHaveNull || !hasDataMember)
        }
    }

    /// True if a status says that the server did not look at the request because of missing credentials.
    static func isRejection(_ status: Int?) -> Bool { status == 401 || status == 407 }
}

extension NetworkResponse {
    /// The HTTP status of this response. Nil for one of several responses in an array, whose status is that of the
    /// whole array.
    var ownStatus: Int? { metadata[BatchingNetwork.sizeKey] == nil ? status : nil }
}
