/// Retains the data of an operation as long as this object lives.
public final class Retention: Sendable {
    private let operations: Operations
    private let operation: BoundOperation
    private let isReleased = Guarded(false)

    init(_ operation: BoundOperation, in operations: Operations) {
        self.operations = operations
        self.operation = operation
        operations.retain(operation)
    }

    deinit { release() }

    /// Releases the operation before the object is deinitialized; the operation enters the release buffer.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { operations.release(operation) }
    }
}
