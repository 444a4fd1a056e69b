import Baton
import BatonSchema

// The values that follow from the seed: null, lists, objects and leaves.

extension WorldData {
    /// The value of a type at a place. `key` is that of the place, with the indices of the lists around the value.
    func made(
        _ type: TypeReference, _ place: Place, _ key: String, _ state: WorldState
    ) throws(LocalError) -> WorldValue {
        if !type.isNonNull, limits.nulls > 0, hash(key).number("null") % 100 < UInt64(limits.nulls) { return .null }
        if let item = type.item { return try list(of: item, place, key, state) }
        let named = schema.namedType(of: type)
        if named.isLeaf { return leaf(named, place, key) }
        return try object(named, isNonNull: type.isNonNull, place, key, state)
    }

    // MARK: - Objects

    private func object(
        _ named: SchemaType, isNonNull: Bool, _ place: Place, _ key: String, _ state: WorldState
    ) throws(LocalError) -> WorldValue {
        if named === schema.queryType { return queryRoot.map { .object($0) } ?? .null }
        if let id = Self.wantedID(in: place.mattering), isIdentified(named) {
            if let found = entity(named, id: id), !state.deleted.contains(found.key) { return .object(found) }
            if !isNonNull { return .null }
        }
        guard let concrete = concreteType(of: named, key) else {
            throw LocalError("There is no object type for '\(named.name)'.")
        }
        if let connection = known.connection(of: concrete) {
            let list = try wholeList(connection.nodeType, place, key, state, count: nil)
            return .object(try self.connection(concrete, list, place, key))
        }
        return .object(known.isEntity(concrete) ? chosen(concrete, key, state) : WorldObject(type: concrete, key: key))
    }

    /// Whether some values of a type are entities.
    private func isIdentified(_ named: SchemaType) -> Bool {
        named.isAbstract ? schema.possibleTypes(of: named).contains { known.isEntity($0) } : known.isEntity(named)
    }

    /// The object type with the highest hash. The types of a schema that is older do not change their hashes.
    func concreteType(of named: SchemaType, _ key: String) -> SchemaType? {
        guard named.isAbstract else { return named }
        let possible = schema.possibleTypes(of: named)
        // A server knows nothing of the client's types.
        let others = possible.filter { !schema.isRoot($0) && (named.isClientOnly || !$0.isClientOnly) }
        let hash = hash(key)
        return Self.highest(others.isEmpty ? possible : others) { hash.number("type", $0.name) }
    }

    private static func highest<Choice>(_ choices: [Choice], _ number: (Choice) -> UInt64) -> Choice? {
        var best: (choice: Choice, number: UInt64)?
        for choice in choices {
            let number = number(choice)
            if best.map({ number > $0.number }) ?? true { best = (choice, number) }
        }
        return best?.choice
    }

    /// One of the entities of a type that are not deleted.
    private func chosen(_ type: SchemaType, _ key: String, _ state: WorldState) -> WorldObject {
        let count = UInt64(limits.entities)
        let first = Int(hash(key).number("entity") % count)
        for step in 0..<limits.entities {
            let found = entity(type, number: (first + step) % limits.entities + 1)
            if !state.deleted.contains(found.key) { return found }
        }
        var number = limits.entities + 1
        while state.deleted.contains("\(type.name):\(number)") { number += 1 }
        return entity(type, number: number)
    }

    // MARK: - Leaves

    private func leaf(_ named: SchemaType, _ place: Place, _ key: String) -> WorldValue {
        let hash = hash(key)
        if named.kind == .enum {
            let value = Self.highest(named.enumValues) { hash.number("enum", $0.name) }
            return value.map { .leaf(.string($0.name)) } ?? .null
        }
        let draw = World.Draw(
            typeName: place.object.type.name, fieldName: place.field.name, number: hash.number("value"))
        return .leaf(scalar(named, draw))
    }

    func scalar(_ named: SchemaType, _ draw: World.Draw) -> JSONValue {
        scalars[named.name]?(draw) ?? LeafTable.value(of: named.name, draw)
    }
}
