/// A refetch or a page that a handle loads.
///
/// State: the number, guarded by a lock of its own.
final class Load: Sendable {
    let kind: LoadMachine.Kind
    let operation: BoundOperation
    let policy: FetchPolicy
    /// The number of objects that a page was asked for; 0 for a refetch.
    let count: Int
    let outcome = LoadOutcome()
    /// The number that the machine has given it; 0 until then.
    var number: Int { numbered.withLock { $0 } }
    private let numbered = Guarded(0)

    init(_ kind: LoadMachine.Kind, _ operation: BoundOperation, _ policy: FetchPolicy = .networkOnly, count: Int = 0) {
        self.kind = kind
        self.operation = operation
        self.policy = policy
        self.count = count
    }

    func setNumber(_ number: Int) { numbered.withLock { $0 = number } }
}
