import Baton
import BatonSchema

/// Turns the edits of a response into overrides by path.
struct EditedPaths {
    let schema: Schema
    private(set) var overrides = WorldOverrides()
    private(set) var mistakes: [String] = []

    init(schema: Schema) { self.schema = schema }

    /// Adds the edits at a path. Builders of responses are nested as deep as the document, which bounds the recursion.
    mutating func add(_ edits: GeneratedCode.Edits, at path: WorldOverrides.Pattern) {
        switch edits.node {
        case .none: return
        case .null: overrides.set(path, to: .null)
        case .leaf(let json): overrides.set(path, to: json)
        case .object(let object):
            let chosen = object.types.compactMap { schema.type(named: $0) }.last { !$0.isAbstract }
            if let chosen {
                overrides.set(path, to: ["__typename": .string(chosen.name)])
            } else if let wish = object.types.last {
                mistakes.append("\(Self.text(path)): '\(wish)' leaves the object type open; choose one by '__typename'")
            }
            for (key, edits) in object.members.sorted(by: { $0.key < $1.key }) { add(edits, at: path + [.key(key)]) }
        case .list(let list):
            if let count = list.count { overrides.set(path, to: ["$count": .int(count)]) }
            // The later override wins, and that of an item over that of all.
            add(list.all, at: path + [nil])
            for (index, edits) in list.items.sorted(by: { $0.key < $1.key }) { add(edits, at: path + [.index(index)]) }
        }
    }

    private static func text(_ path: WorldOverrides.Pattern) -> String {
        path.reduce("$") { text, component in
            switch component {
            case .key(let key)?: "\(text).\(key)"
            case .index(let index)?: "\(text).\(index)"
            case nil: "\(text).*"
            }
        }
    }
}
