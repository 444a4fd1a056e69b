/// Retains the data of an operation as long as this object lives.
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

    /// Releases the operation before the object is deinitialized; the operation enters the release buffer.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { ledger.release(operation) }
    }
}
