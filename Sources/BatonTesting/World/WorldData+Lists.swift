import Baton
import BatonSchema

// Lists, whole and in pages.

extension WorldData {
    func list(
        of item: TypeReference, _ place: Place, _ key: String, _ state: WorldState, count: Int? = nil
    ) throws(LocalError) -> WorldValue {
        if key == place.key, case .list(let limit, let offset) = known.paging(of: place.field) {
            let list = try wholeList(item, place, key, state, count: count)
            let page = WorldPage(
                list, limit: place.arguments.int(limit), offset: offset.flatMap { place.arguments.int($0) })
            return .list(page.items.map(\.value))
        }
        if key == place.key, case .array(let ids)? = place.arguments["ids"], !item.isList,
            let found = entities(ids, item, state)
        {
            return found
        }
        let count = count ?? length(limits.lists, key)
        if item.isList || schema.namedType(of: item).isLeaf {
            var values: [WorldValue] = []
            for index in 0..<count { values.append(try made(item, place, "\(key)[\(index)]", state)) }
            return .list(values)
        }
        let items = try items(item, count, place, key, state)
        return .list(items.filter { !$0.isDeleted }.map(\.value))
    }

    /// A length from a range.
    private func length(_ range: ClosedRange<Int>, _ key: String) -> Int {
        range.lowerBound + Int(hash(key).number("length") % UInt64(range.count))
    }

    /// The entities of some ids, in their order; nil if the items are not entities.
    private func entities(_ ids: [JSONValue], _ item: TypeReference, _ state: WorldState) -> WorldValue? {
        let named = schema.namedType(of: item)
        guard named.isAbstract || known.isEntity(named) else { return nil }
        var values: [WorldValue] = []
        for id in ids {
            if let found = entity(named, id: id), !state.deleted.contains(found.key) {
                values.append(.object(found))
            } else if !item.isNonNull {
                values.append(.null)
            }
        }
        return .list(values)
    }

    /// The whole list of a field that pages.
    func wholeList(
        _ item: TypeReference, _ place: Place, _ key: String, _ state: WorldState, count: Int?
    ) throws(LocalError) -> WorldList {
        WorldList(
            key: key, items: try items(item, count ?? length(limits.connections, key), place, key, state))
    }

    /// The items of a list, with those that were deleted, and those that mutations have created.
    private func items(
        _ item: TypeReference, _ count: Int, _ place: Place, _ key: String, _ state: WorldState
    ) throws(LocalError) -> [WorldItem] {
        let named = schema.namedType(of: item)
        var values: [WorldValue] = []
        var used: [TypeID: [Int]] = [:]
        for index in 0..<count {
            let own = "\(key)[\(index)]"
            if item.isList || named.isLeaf || known.connection(of: named) != nil {
                values.append(try made(item, place, own, state))
                continue
            }
            guard let type = concreteType(of: named, own) else { continue }
            guard known.isEntity(type) else {
                values.append(.object(WorldObject(type: type, key: own)))
                continue
            }
            var numbers = used[type.id] ?? order(of: type, key, count).reversed()
            if let number = numbers.popLast() { values.append(.object(entity(type, number: number))) }
            used[type.id] = numbers
        }
        let created =
            place.object.type === schema.queryType
            ? state.created.values.joined().sorted { $0.key < $1.key } : state.members[place.object.key] ?? []
        for object in created where named.isComposite && schema.isPossible(object.type, for: named) {
            values.append(.object(object))
        }
        return Self.items(values, state)
    }

    /// The numbers of the entities of a type in the order of their hashes for a list.
    private func order(of type: SchemaType, _ key: String, _ count: Int) -> [Int] {
        var hash = hash(key)
        hash.add(type.name)
        let numbers = (1...max(limits.entities, count)).map { (number: $0, hash: hash.number($0)) }
        return numbers.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }.map(\.number)
    }

    /// Items with cursors: the identity of an entity, or else the index.
    static func items(_ values: [WorldValue], _ state: WorldState) -> [WorldItem] {
        var seen: Set<String> = []
        return values.enumerated().map { index, value in
            var cursor = String(index)
            var isDeleted = false
            if case .object(let object) = value, object.id != nil {
                isDeleted = state.deleted.contains(object.key)
                cursor = object.key
            }
            // An override may list an entity twice.
            if !seen.insert(cursor).inserted { cursor += "#\(index)" }
            return WorldItem(value: value, cursor: cursor, isDeleted: isDeleted)
        }
    }

    // MARK: - Connections

    /// A page of a connection.
    func connection(
        _ type: SchemaType, _ list: WorldList, _ place: Place, _ key: String
    ) throws(LocalError) -> WorldObject {
        var object = placed(type, key)
        object.role = .connection(list, try WorldPage(list, place.arguments))
        return object
    }

    /// An edge of a connection. Its identity follows from the node, so that it is the same on every page.
    func edge(_ type: SchemaType, _ item: WorldItem, in list: String) -> WorldObject {
        var object = placed(type, "\(list){\(item.cursor)}")
        object.role = .edge(item)
        return object
    }

    /// The fields of connections, edges, payloads and entities that do not follow from the seed; nil for other fields.
    func special(_ place: Place, _ state: WorldState) throws(LocalError) -> WorldValue? {
        let field = place.field
        if field.name == "id", let id = place.object.id { return .leaf(id) }
        switch place.object.role {
        case .plain: return nil
        case .connection(let list, let page):
            guard let connection = known.connection(of: place.object.type) else { return nil }
            if field.name == "pageInfo" {
                var info = WorldObject(type: schema.namedType(of: field.type), key: place.key)
                info.role = .pageInfo(page)
                return .object(info)
            }
            if connection.edges?.name == field.name {
                let type = schema.namedType(of: field.type)
                return .list(page.items.map { .object(edge(type, $0, in: list.key)) })
            }
            if connection.nodes.contains(field.name) { return .list(page.items.map(\.value)) }
            guard connection.totals.contains(field.name) else { return nil }
            let name = schema.namedType(of: field.type).name
            let isNumber = ["Int", "Float"].contains(name)
            return .leaf(isNumber ? .int(list.count) : .string(String(list.count)))
        case .edge(let item):
            switch field.name {
            case "node": return item.value
            case "cursor": return .leaf(.string(item.cursor))
            default: return nil
            }
        case .pageInfo(let page):
            switch field.name {
            case "hasNextPage": return .leaf(.bool(page.hasNextPage))
            case "hasPreviousPage": return .leaf(.bool(page.hasPreviousPage))
            case "startCursor": return page.items.first.map { .leaf(.string($0.cursor)) } ?? emptyCursor(field)
            case "endCursor": return page.items.last.map { .leaf(.string($0.cursor)) } ?? emptyCursor(field)
            default: return nil
            }
        case .payload(let effect): return try payloadValue(place, effect, state)
        }
    }

    /// The cursor of an empty page.
    private func emptyCursor(_ field: SchemaField) -> WorldValue { field.type.isNonNull ? .leaf(.string("")) : .null }
}
