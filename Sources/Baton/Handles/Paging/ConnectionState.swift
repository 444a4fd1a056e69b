/// What a handle must know of its connection to load pages: how long it is, and where it goes on.
struct ConnectionState: Equatable, Sendable {
    /// The number of edges.
    var count = 0
    var hasNext = false
    var hasPrevious = false
    /// The cursor after which the next page begins.
    var end: JSONValue?
    /// The cursor before which the previous page ends.
    var start: JSONValue?

    /// Returns the cursor from which a page is counted; nil if there is none.
    func cursor(_ kind: LoadMachine.Kind) -> JSONValue? {
        switch kind {
        case .refetch: nil
        case .next: hasNext ? end : nil
        case .previous: hasPrevious ? start : nil
        }
    }
}
