/// Keeps in the store what an operation selects, for as long as this object lives.
public final class Retention: Sendable {
    private let ledger: OperationLedger
    private let operation: BoundOperation
    private let isReleased = Guarded(false)

    init(_ operation: BoundOperation, in ledger: OperationLedger) {
        self.ledger = ledger
        self.operation = operation
        ledger.retain(operation)
    }

    deinit { release() }

    /// Lets go before the object dies; what was retained goes into the release buffer.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { ledger.release(operation) }
    }
}
