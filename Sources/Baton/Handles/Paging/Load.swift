/// A refetch or a page that a fragment handle loads.
final class Load: Sendable {
    let kind: LoadMachine.Kind
    /// It is retained as long as the load is under way.
    let operation: BoundOperation
    let policy: FetchPolicy
    /// The number of objects that a page was asked for; 0 for a refetch.
    let count: Int
    /// When the list was fetched of which this is a page; nil for a refetch.
    let listFetch: Epoch?
    let completion = Completion()

    init(
        _ kind: LoadMachine.Kind, _ operation: BoundOperation, _ policy: FetchPolicy = .networkOnly, count: Int = 0,
        listFetch: Epoch? = nil
    ) {
        self.kind = kind
        self.operation = operation
        self.policy = policy
        self.count = count
        self.listFetch = listFetch
    }
}
