import Foundation
import Synchronization

/// The repository and what users change in it. A lock guards the items, because requests run at the same time.
final class Repository: Sendable {
    static let owner = "baton-samples"
    static let name = "harbor"

    let id = "R_1"
    let labels: [Label]
    let users: [User]
    /// Who is signed in.
    let viewer: User
    private let content: Mutex<[Item]>

    init(_ corpus: Corpus) {
        var corpus = corpus
        (labels, users) = (corpus.labels, corpus.users)
        viewer = users[0]
        content = Mutex(corpus.items())
    }

    /// The items that satisfy a condition, the last changed first.
    func items(where isIncluded: (Item) -> Bool) -> [Item] {
        content.withLock { $0.filter(isIncluded) }
            .sorted { ($0.updatedAt, $0.number) > ($1.updatedAt, $1.number) }
    }

    func item(_ id: String) -> Item? { content.withLock { items in Self.index(id, items).map { items[$0] } } }

    func comment(_ id: String) -> Comment? {
        content.withLock { items in Self.place(id, items).map { items[$0.item].comments[$0.comment] } }
    }

    /// Changes an item; nil if there is none of this id.
    func change(_ id: String, _ body: (inout Item) throws -> Void) rethrows -> Item? {
        try content.withLock { items in
            guard let index = Self.index(id, items) else { return nil }
            try body(&items[index])
            items[index].updatedAt = max(Date(), items[index].updatedAt + 1)
            return items[index]
        }
    }

    /// Changes the reactions of an item or of a comment, and returns it; nil if there is none of this id.
    func react(_ id: String, _ body: (inout Reactions) -> Void) -> (any Sendable)? {
        content.withLock { items in
            if let index = Self.index(id, items) {
                body(&items[index].reactions)
                return items[index]
            }
            guard let place = Self.place(id, items) else { return nil }
            body(&items[place.item].comments[place.comment].reactions)
            return items[place.item].comments[place.comment]
        }
    }

    private static func index(_ id: String, _ items: [Item]) -> Int? {
        guard let number = id.split(separator: "_").last.flatMap({ Int($0) }), items.indices.contains(number - 1),
            items[number - 1].id == id
        else { return nil }
        return number - 1
    }

    private static func place(_ id: String, _ items: [Item]) -> (item: Int, comment: Int)? {
        let parts = id.split(separator: "_")
        let numbers = parts.dropFirst().compactMap { Int($0) }
        guard parts.first == "IC", numbers.count == 2, items.indices.contains(numbers[0] - 1),
            items[numbers[0] - 1].comments.indices.contains(numbers[1] - 1)
        else { return nil }
        return (numbers[0] - 1, numbers[1] - 1)
    }
}
