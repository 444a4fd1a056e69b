import Baton
import BatonSchema

/// What has been changed in a world. All else follows from the seed.
struct WorldState: Sendable {
    var overrides = WorldOverrides()
    /// The entities that mutations have created, in order, by the names of their types.
    var created: [String: [WorldObject]] = [:]
    /// The number of entities that were ever created, by type. No identity is used twice.
    var creations: [String: Int] = [:]
    /// The created entities that belong to an entity because the input named it, by that entity's identity.
    var members: [String: [WorldObject]] = [:]
    /// The identities of the deleted entities.
    var deleted: Set<String> = []
    /// The number of events.
    var events = 0

    /// About the bytes that mutations have added.
    var size: Int {
        let names = deleted.count * Self.entitySize
        return overrides.size + names + creations.values.reduce(0, +) * Self.entitySize
    }

    /// About the bytes of an entity that is created or deleted, apart from its values.
    private static let entitySize = 512
}

extension WorldState {
    /// The same changes over another schema, without objects whose types it does not have.
    func moved(to schema: Schema) -> WorldState {
        func moved(_ objects: [WorldObject]) -> [WorldObject] { objects.compactMap { $0.moved(to: schema) } }
        var state = self
        state.created = created.mapValues(moved)
        state.members = members.mapValues(moved)
        return state
    }
}

/// The values that take the place of a world's own.
struct WorldOverrides: Sendable {
    /// A component of a path; nil is every index.
    typealias Pattern = [JSONValue.PathComponent?]

    private var paths: [(pattern: Pattern, value: JSONValue)] = []
    /// The fields of entities, by their identities.
    private var entities: [String: [String: JSONValue]] = [:]
    /// The fields of types and interfaces, by their names.
    private var types: [String: [String: JSONValue]] = [:]
    /// About the bytes of the fields of entities that were set one by one, as mutations do it.
    private(set) var size = 0

    /// Adds later overrides.
    mutating func add(_ later: WorldOverrides) {
        paths += later.paths
        for (key, fields) in later.entities { entities[key, default: [:]].merge(fields) { $1 } }
        for (name, fields) in later.types { types[name, default: [:]].merge(fields) { $1 } }
    }

    mutating func set(_ pattern: Pattern, to value: JSONValue) { paths.append((pattern, value)) }

    mutating func set(_ field: String, ofEntity key: String, to value: JSONValue) {
        let before = entities[key, default: [:]].updateValue(value, forKey: field)
        size += value.jsonBytes.count - (before.map { $0.jsonBytes.count } ?? -(key.utf8.count + field.utf8.count + 64))
    }

    mutating func set(_ field: String, ofType name: String, to value: JSONValue) {
        types[name, default: [:]][field] = value
    }

    /// The value for a field; nil if no override is about it. A path takes precedence, then the place of the object,
    /// then the entity, its type, and its interfaces.
    func value(
        of field: String, on object: WorldObject, interfaces: () -> [String], at path: [JSONValue.PathComponent]
    ) -> JSONValue? {
        if !paths.isEmpty, let match = paths.last(where: { Self.matches($0.pattern, path) }) { return match.value }
        if let given = object.given.last(where: { $0.name == field }) { return given.value }
        if object.id != nil, let value = entities[object.key]?[field] { return value }
        guard !types.isEmpty else { return nil }
        if let value = types[object.type.name]?[field] { return value }
        for interface in interfaces() {
            if let value = types[interface]?[field] { return value }
        }
        return nil
    }

    private static func matches(_ pattern: Pattern, _ path: [JSONValue.PathComponent]) -> Bool {
        guard pattern.count == path.count else { return false }
        return zip(pattern, path).allSatisfy { wanted, component in
            if let wanted { return wanted == component }
            if case .index = component { return true }
            return false
        }
    }
}
