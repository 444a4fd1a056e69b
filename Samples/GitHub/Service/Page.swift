import BatonTesting

/// One page of a connection, within GitHub's limits: `first` or `last` must be given, from 1 to 100.
///
/// A cursor is the place of its node in the order of the list, so that it stays valid when the list changes.
struct Page: Sendable {
    struct Edge: Sendable {
        let node: any Sendable
        let cursor: String
    }

    /// The names of the properties are those of the schema's fields.
    struct Info: Sendable {
        let startCursor: String?
        let endCursor: String?
        let hasPreviousPage: Bool
        let hasNextPage: Bool
    }

    let totalCount: Int
    private let content: Result<(edges: [Edge], pageInfo: Info), LocalError>

    var edges: [Edge] { get throws { try content.get().edges } }
    var pageInfo: Info { get throws { try content.get().pageInfo } }

    /// Cuts the page that the field's arguments ask for out of a list, which is in the order of `place`.
    init<Node: Sendable>(_ list: [Node], _ context: LocalFieldContext, place: (Int, Node) -> (Int, Int)) throws {
        totalCount = list.count
        let (first, last) = (context.arguments.int("first"), context.arguments.int("last"))
        for (name, count) in [("first", first), ("last", last)] {
            guard let count, !(1...100).contains(count) else { continue }
            let problem = count > 100 ? "exceeds the `\(name)` limit of 100 records" : "is less than 1"
            throw GitHubService.error(
                "EXCESSIVE_PAGINATION",
                "Requesting \(count) records on the `\(context.fieldName)` connection \(problem).")
        }
        // Who asks for the number of nodes alone gives no limits.
        guard first != nil || last != nil else {
            let name = context.fieldName
            content = .failure(
                GitHubService.error(
                    "MISSING_PAGINATION_BOUNDARIES",
                    "You must provide a `first` or `last` value to properly paginate the `\(name)` connection."))
            return
        }
        let places = list.enumerated().map { place($0.offset, $0.element) }
        let after = try Self.place(context, "after")
        let before = try Self.place(context, "before")
        let start = after.flatMap { after in places.firstIndex { $0 > after } ?? list.count } ?? 0
        let end = max(start, before.flatMap { before in places.firstIndex { $0 >= before } } ?? list.count)
        var range = start..<end
        if let first { range = range.prefix(first) }
        if let last { range = range.suffix(last) }
        let edges = range.map { Edge(node: list[$0], cursor: "\(places[$0].0).\(places[$0].1)") }
        let info = Info(
            startCursor: edges.first?.cursor, endCursor: edges.last?.cursor,
            hasPreviousPage: range.lowerBound > 0, hasNextPage: range.upperBound < list.count)
        content = .success((edges, info))
    }

    private static func place(_ context: LocalFieldContext, _ name: String) throws -> (Int, Int)? {
        guard let text = context.arguments.string(name) else { return nil }
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw GitHubService.error("INVALID_CURSOR_ARGUMENTS", "`\(text)` does not appear to be a valid cursor.")
        }
        return (numbers[0], numbers[1])
    }
}
