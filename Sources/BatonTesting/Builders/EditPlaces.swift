import Baton

/// Edits with their place in the tree of all edits.
struct PlacedEdits {
    let edits: GeneratedCode.Edits
    /// The response keys and indices that lead here; `*` is every index.
    let place: String

    var saysSomething: Bool { if case .none = edits.node { false } else { true } }

    private func joined(_ name: String) -> String { place.isEmpty ? name : place + "." + name }

    /// The edits of a member; nil if there are none.
    func member(_ key: String) -> PlacedEdits? {
        guard case .object(let object) = edits.node, let inner = object.members[key] else { return nil }
        return PlacedEdits(edits: inner, place: joined(key))
    }

    /// The edits of an item: its own, and then those of all items.
    func items(_ index: Int) -> [PlacedEdits] {
        guard case .list(let list) = edits.node else { return [] }
        let own = list.items[index].map { PlacedEdits(edits: $0, place: joined(String(index))) }
        return [own, PlacedEdits(edits: list.all, place: joined("*"))].compactMap(\.self)
    }
}

extension GeneratedCode.Edits {
    /// The edits that are about a path of the answer; earlier ones take precedence.
    func at(_ path: [JSONValue.PathComponent]) -> [PlacedEdits] {
        var found = [PlacedEdits(edits: self, place: "")]
        for component in path {
            switch component {
            case .key(let key): found = found.compactMap { $0.member(key) }
            case .index(let index): found = found.flatMap { $0.items(index) }
            }
            if found.isEmpty { return [] }
        }
        return found.filter(\.saysSomething)
    }

    /// The places of the edits that say something themselves. Those of all items are left out, because a list may be
    /// empty.
    var places: [String] {
        var found: [String] = []
        Self.add(PlacedEdits(edits: self, place: ""), to: &found)
        return found
    }

    /// Builders are nested as deep as the document, which bounds the recursion.
    private static func add(_ placed: PlacedEdits, to found: inout [String]) {
        switch placed.edits.node {
        case .none: break
        case .null, .leaf: found.append(placed.place)
        case .object(let object):
            found.append(placed.place)
            for key in object.members.keys.sorted() { placed.member(key).map { add($0, to: &found) } }
        case .list(let list):
            found.append(placed.place)
            for index in list.items.keys.sorted() { placed.items(index).first.map { add($0, to: &found) } }
        }
    }
}
