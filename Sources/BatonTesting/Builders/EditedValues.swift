import Baton
import BatonSchema

/// The values of a world with the edits of a builder, for one execution.
///
/// An edit is met at a path, and is about what is there: the field of an object with its arguments. So it is noted by
/// that identity (`Change`), and holds at every other path in the next execution. The builder executes until an
/// execution notes what it began with.
///
/// State: what was noted, guarded by a lock of its own, a leaf.
final class EditedValues: LocalValues {
    private let world: WorldData
    private let edits: GeneratedCode.Edits
    private let changes: [String: Change]
    private let noted = Guarded(Noted())

    /// The value that an edit gave to a field of an object.
    struct Change: Sendable {
        let value: WorldValue
        let place: String

        /// Whether the edit gave the value itself, and not a length or a type.
        let isWhole: Bool
    }

    /// What an execution has met.
    struct Noted: Sendable {
        var changes: [String: Change] = [:]
        /// The places of the edits that were met.
        var places: Set<String> = []
        var mistakes: [String] = []
    }

    init(_ world: WorldData, edits: GeneratedCode.Edits, changes: [String: Change]) {
        self.world = world
        self.edits = edits
        self.changes = changes
    }

    /// What was noted so far.
    var result: Noted { noted.withLock { $0 } }

    func value(
        of field: SchemaField, on type: SchemaType, _ source: Any, _ arguments: LocalArguments,
        at path: [JSONValue.PathComponent]
    ) throws -> Any? {
        let here = edits.at(path)
        guard let object = source as? WorldObject else {
            for placed in here {
                if case .leaf(let json) = placed.edits.node { return json }
            }
            return try world.value(of: field, on: type, source, arguments, at: path)
        }
        let place = world.place(of: field, on: object, arguments, at: path)
        let own = try world.value(of: field, on: object, arguments, at: path)
        var shared = Self.identity(of: object) + "." + field.name + WorldSchema.text(of: place.mattering)
        // Pages of one connection differ.
        if case .object(let value) = own, case .connection = value.role { shared += Self.text(of: arguments) }
        let known = changes[shared]
        if here.isEmpty { return (known?.value ?? own).resolved }
        noted.withLock { $0.places.formUnion(here.map(\.place)) }
        let value = try edited(known?.value ?? own, field.type, here, place, place.key)
        note(value, insteadOf: own, here, known, as: shared)
        return value.resolved
    }

    private func note(
        _ value: WorldValue, insteadOf own: WorldValue, _ here: [PlacedEdits], _ known: Change?, as shared: String
    ) {
        var isWhole = false
        var place = here[0].place
        for placed in here {
            switch placed.edits.node {
            case .null, .leaf: isWhole = true
            default: continue
            }
            place = placed.place
            break
        }
        let change = Change(value: value, place: place, isWhole: isWhole)
        noted.withLock { state in
            for other in [known, state.changes[shared]].compactMap(\.self) {
                guard isWhole, other.isWhole, other.place != place, other.value.identity != value.identity else {
                    continue
                }
                let places = [other.place, place].sorted()
                let mistake =
                    "'\(places[0])' and '\(places[1])' are one value, of '\(shared)', and are edited differently"
                if !state.mistakes.contains(mistake) { state.mistakes.append(mistake) }
            }
            if isWhole || value.identity != own.identity { state.changes[shared] = change }
        }
    }

    /// The identity of an object, with the page that a connection shows.
    private static func identity(of object: WorldObject) -> String {
        switch object.role {
        case .connection(_, let page), .pageInfo(let page):
            object.key + "|" + page.items.map(\.cursor).joined(separator: ",")
        default: object.key
        }
    }

    private static func text(of arguments: LocalArguments) -> String {
        WorldSchema.text(
            of: arguments.names.sorted().compactMap { name in
                arguments[name].map { JSONValue.Member(name, $0) }
            })
    }

    // MARK: - Edits of a value

    /// The value after the edits. Lists are nested as the type is, which bounds the recursion.
    private func edited(
        _ value: WorldValue, _ type: TypeReference, _ here: [PlacedEdits], _ place: WorldData.Place, _ key: String
    ) throws(LocalError) -> WorldValue {
        for placed in here {
            switch placed.edits.node {
            case .null: return .null
            case .leaf(let json): return .leaf(json)
            default: continue
            }
        }
        guard let item = type.item else { return try object(value, type, here, place, key) }
        var items: [WorldValue]
        if case .list(let own) = value {
            items = own
        } else {
            guard case .list(let made) = try world.made(type.required ?? type, place, key, world.snapshot) else {
                return value
            }
            items = made
        }
        let lists = here.compactMap { if case .list(let list) = $0.edits.node { list } else { nil } }
        let count = lists.lazy.compactMap(\.count).first ?? max(items.count, lists.map(\.least).max() ?? 0)
        try fill(&items, to: min(count, World.Limits.longest), of: item, place, key)
        for index in items.indices {
            let inner = here.flatMap { $0.items(index) }.filter(\.saysSomething)
            if inner.isEmpty { continue }
            noted.withLock { $0.places.formUnion(inner.map(\.place)) }
            items[index] = try edited(items[index], item, inner, place, "\(key)[\(index)]")
        }
        return .list(items)
    }

    /// Makes a list shorter, or longer by values that it does not have.
    private func fill(
        _ items: inout [WorldValue], to count: Int, of item: TypeReference, _ place: WorldData.Place, _ key: String
    ) throws(LocalError) {
        if count <= items.count {
            items.removeLast(items.count - count)
            return
        }
        let more = try world.wholeList(item, place, key, world.snapshot, count: count + items.count)
        var known = Set(items.map(\.identity))
        for (index, candidate) in more.items.enumerated() where items.count < count {
            switch candidate.value {
            case .object(let object) where object.id != nil:
                if known.insert(candidate.value.identity).inserted { items.append(candidate.value) }
            default: if index >= items.count { items.append(candidate.value) }
            }
        }
    }

    private func object(
        _ value: WorldValue, _ type: TypeReference, _ here: [PlacedEdits], _ place: WorldData.Place, _ key: String
    ) throws(LocalError) -> WorldValue {
        let edits = here.compactMap { if case .object(let object) = $0.edits.node { object } else { nil } }
        guard !edits.isEmpty else { return value }
        var value = value
        if case .null = value { value = try world.made(type.required ?? type, place, key, world.snapshot) }
        // A field that takes an id is null for the id of another type, even if it should not be.
        if case .null = value, let chosen = concreteType(world.schema.namedType(of: type), nil, edits, key) {
            value = .object(world.placed(chosen, key))
        }
        guard case .object(var object) = value else { return value }
        let named = world.schema.namedType(of: type)
        if let chosen = concreteType(named, object.type, edits, key), chosen !== object.type {
            object = world.placed(chosen, key)
        }
        if let id = edits.lazy.compactMap({ Self.leaf($0.members["id"]) }).first, world.known.isEntity(object.type) {
            let key = "\(object.type.name):\(id.stringValue ?? id.text)"
            object = world.entity(object.type, id: id) ?? WorldObject(type: object.type, key: key, id: id)
        }
        if case .connection(let list, let page) = object.role,
            let connection = world.known.connection(of: object.type)
        {
            let lists = edits.flatMap { Self.lists($0, of: connection) }
            if !lists.isEmpty {
                object.role = try connectionRole(list, page, lists, connection, place)
            }
        }
        return .object(object)
    }

    private static func leaf(_ edits: GeneratedCode.Edits?) -> JSONValue? {
        if case .leaf(let json)? = edits?.node { json } else { nil }
    }

    /// The object type that fits the most wishes, of which later ones take precedence.
    private func concreteType(
        _ named: SchemaType, _ own: SchemaType?, _ edits: [ObjectEdits], _ key: String
    ) -> SchemaType? {
        var possible = named.isAbstract ? world.schema.possibleTypes(of: named) : [named]
        for name in edits.flatMap({ $0.types.reversed() }) {
            guard let wanted = world.schema.type(named: name) else { continue }
            let rest = possible.filter { world.schema.isPossible($0, for: wanted) }
            if !rest.isEmpty { possible = rest }
        }
        if let own, possible.contains(where: { $0 === own }) { return own }
        let hash = world.hash(key)
        return possible.max { hash.number("type", $0.name) < hash.number("type", $1.name) }
    }

    // MARK: - Connections

    /// The edits of the lists that show the items of a connection.
    private static func lists(_ edits: ObjectEdits, of connection: WorldSchema.Connection) -> [ListEdits] {
        edits.members.sorted { $0.key < $1.key }.compactMap { key, inner in
            guard key == connection.edges?.name || connection.nodes.contains(key), case .list(let list) = inner.node
            else { return nil }
            return list
        }
    }

    /// The page with as many items as the edits ask for. If they give a count, the connection has no others.
    private func connectionRole(
        _ list: WorldList, _ page: WorldPage, _ edits: [ListEdits], _ connection: WorldSchema.Connection,
        _ place: WorldData.Place
    ) throws(LocalError) -> WorldObject.Role {
        let given = edits.lazy.compactMap(\.count).first
        let count = min(
            given ?? max(page.items.count, edits.map(\.least).max() ?? 0), World.Limits.longest)
        var shown = Array(page.items.prefix(count))
        if shown.count < count {
            let more = try world.wholeList(
                connection.nodeType, place, list.key, world.snapshot, count: count + list.items.count)
            var known = Set(shown.map(\.cursor))
            for item in list.items + more.items where shown.count < count && !item.isDeleted {
                if known.insert(item.cursor).inserted { shown.append(item) }
            }
        }
        if given != nil {
            return .connection(WorldList(key: list.key, items: shown), WorldPage(items: shown))
        }
        let known = Set(list.items.map(\.cursor))
        let whole = WorldList(key: list.key, items: list.items + shown.filter { !known.contains($0.cursor) })
        return .connection(
            whole,
            WorldPage(items: shown, hasNextPage: page.hasNextPage, hasPreviousPage: page.hasPreviousPage))
    }
}

extension WorldValue {
    /// A text that is equal for equal values.
    var identity: String {
        switch self {
        case .null: "null"
        case .leaf(let json): json.text
        case .object(let object):
            switch object.role {
            case .connection(let list, let page):
                "\(object.key)|\(list.count)|" + page.items.map(\.cursor).joined(separator: ",")
            default: object.type.name + " " + object.key
            }
        case .list(let values): "[" + values.map(\.identity).joined(separator: ",") + "]"
        }
    }
}
