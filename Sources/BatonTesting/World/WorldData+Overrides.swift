import Baton
import BatonSchema

// The values that overrides give. They were checked when they were set.

extension WorldData {
    /// The value of a field, or of an item of its list. What was deleted leaves every list, so that an item stays what
    /// it is until the list is whole.
    func overridden(
        _ value: JSONValue, _ type: TypeReference, _ place: Place, _ key: String, _ state: WorldState,
        isItem: Bool = false
    ) throws(LocalError) -> WorldValue {
        if value == .null { return .null }
        let (named, isNullable) = (schema.namedType(of: type), !type.isNonNull)
        if let item = type.item {
            if let count = try Self.count(value, place) { return try list(of: item, place, key, state, count: count) }
            guard case .array(let values) = value else {
                throw LocalError("The override of '\(place.field.name)' is not a list.")
            }
            return .list(try items(values, item, place, key, state))
        }
        if named.isLeaf { return .leaf(value) }
        if let connection = known.connection(of: named), let concrete = concreteType(of: named, key) {
            if let list = try overriddenList(value, connection, place, key, state) {
                return .object(try self.connection(concrete, list, place, key))
            }
        }
        guard case .object(let members) = value else {
            throw LocalError("The override of '\(place.field.name)' is not an object.")
        }
        if case .string(let key)? = value["$ref"] {
            guard let type = self.type(namedBy: key) else { return .null }
            let found = entity(type, key: key)
            return state.deleted.contains(found.key) && !isItem && isNullable ? .null : .object(found)
        }
        var base = try made(type.required ?? type, place, key, state)
        if case .string(let name)? = value["__typename"], let stated = schema.type(named: name) {
            base = .object(placed(stated, key))
        }
        guard case .object(var object) = base else { return base }
        object.given = members.filter { $0.name != "__typename" }
        return .object(object)
    }

    /// The length that an override gives. That of a path was not checked when it was set.
    private static func count(_ value: JSONValue, _ place: Place) throws(LocalError) -> Int? {
        guard let given = value["$count"] else { return nil }
        guard let count = given.intValue, (0...World.Limits.longest).contains(count) else {
            throw LocalError(
                "The override of '\(place.field.name)' has a list of \(given.text), not of 0 to \(World.Limits.longest)."
            )
        }
        return count
    }

    private func items(
        _ values: [JSONValue], _ item: TypeReference, _ place: Place, _ key: String, _ state: WorldState
    ) throws(LocalError) -> [WorldValue] {
        var items: [WorldValue] = []
        for (index, value) in values.enumerated() {
            let made = try overridden(value, item, place, "\(key)[\(index)]", state, isItem: true)
            // What was deleted leaves every list.
            if case .object(let object) = made, object.id != nil, state.deleted.contains(object.key) { continue }
            items.append(made)
        }
        return items
    }

    /// The whole list of a connection by its nodes or its length; nil if the override is about other fields.
    private func overriddenList(
        _ value: JSONValue, _ connection: WorldSchema.Connection, _ place: Place, _ key: String, _ state: WorldState
    ) throws(LocalError) -> WorldList? {
        if let count = try Self.count(value, place) {
            return try wholeList(connection.nodeType, place, key, state, count: count)
        }
        guard case .array(let values) = value else { return nil }
        var nodes: [WorldValue] = []
        for (index, value) in values.enumerated() {
            nodes.append(try overridden(value, connection.nodeType, place, "\(key)[\(index)]", state, isItem: true))
        }
        return WorldList(key: key, items: Self.items(nodes, state))
    }
}
