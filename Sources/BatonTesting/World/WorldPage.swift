import Baton

/// A page of a list, cut as Relay's specification of connections says.
///
/// Specification: https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm
struct WorldPage: Sendable {
    let items: [WorldItem]
    let hasNextPage: Bool
    let hasPreviousPage: Bool

    /// Cuts a page by `first`, `after`, `last` and `before`. A cursor of no item is ignored; that of a deleted item
    /// still marks its place.
    init(_ list: WorldList, _ arguments: LocalArguments) throws(LocalError) {
        let (first, last) = (arguments.int("first"), arguments.int("last"))
        for (name, count) in [("first", first), ("last", last)] {
            if let count, count < 0 { throw LocalError("'\(name)' must not be negative, but it is \(count)") }
        }
        func index(_ name: String) -> Int? {
            guard let wanted = arguments.string(name) else { return nil }
            return list.items.firstIndex { $0.cursor == wanted }
        }
        /// The number of items before a place that are there.
        func count(before place: Int) -> Int { list.items[..<place].count { !$0.isDeleted } }
        let there = list.items.filter { !$0.isDeleted }
        var start = index("after").map { count(before: $0 + 1) } ?? 0
        var end = max(start, index("before").map { count(before: $0) } ?? there.count)
        if let first { end = min(end, start + min(first, end - start)) }
        if let last { start = max(start, end - min(last, end - start)) }
        items = Array(there[start..<end])
        hasPreviousPage = start > 0
        hasNextPage = end < there.count
    }

    /// Makes a page of items that are chosen.
    init(items: [WorldItem], hasNextPage: Bool = false, hasPreviousPage: Bool = false) {
        self.items = items
        self.hasNextPage = hasNextPage
        self.hasPreviousPage = hasPreviousPage
    }

    /// Cuts a plain list by a limit and an offset.
    init(_ list: WorldList, limit: Int?, offset: Int?) {
        let there = list.items.filter { !$0.isDeleted }
        let start = min(max(offset ?? 0, 0), there.count)
        let end = min(there.count, start + min(max(limit ?? there.count, 0), there.count))
        items = Array(there[start..<end])
        hasPreviousPage = start > 0
        hasNextPage = end < there.count
    }
}
