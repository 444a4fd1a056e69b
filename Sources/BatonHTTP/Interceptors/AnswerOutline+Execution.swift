import Baton

// What an answer tells of whether its operation was carried out. Whatever sends an operation again because of the
// errors in an answer asks here, so that a mutation that had its effect is not sent twice.

extension AnswerOutline {
    /// True if the server carried a part of the operation out: there is data, or an error names a place in it. Errors
    /// that were too many or too long to be read may name one.
    var showsExecution: Bool { hasData || hasUnreadErrors || errors.contains { $0.path != nil } }

    /// True if nothing of the operation was carried out, so that it may be sent again.
    ///
    /// - A query has no effect: it may be sent again unless there is data.
    /// - Of a mutation, the statuses 401 and 407 say that it was not begun, and so do errors without a `path` in an
    ///   answer without the member `data` (specification, section 7.1.2: a request error). A status of 500 or more says
    ///   nothing. Whatever the status, data or a `path` shows that the mutation was carried out.
    /// - A subscription was not begun if there is no member `data`; otherwise the answer is an event.
    ///
    /// - Parameters:
    ///   - status: The HTTP status of this one answer; nil if there is none.
    ///   - mayHaveNull: True for errors that only a request error can be, and beside which servers write `data: null`.
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

    /// Whether a status says that the server did not look at the request, for want of credentials.
    static func isRejection(_ status: Int?) -> Bool { status == 401 || status == 407 }
}

extension NetworkResponse {
    /// The HTTP status of this answer; nil for one of several answers that came together, whose status is that of all.
    var ownStatus: Int? { metadata[BatchingNetwork.sizeKey] == nil ? status : nil }
}
