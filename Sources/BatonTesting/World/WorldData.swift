import Baton
import BatonSchema
import BatonSyntax

/// Gives `LocalService` the value of each field of a world's objects.
///
/// State: the changes, guarded by a lock of its own, a leaf. A value is computed outside of the lock, from a copy.
final class WorldData: LocalValues {
    let known: WorldSchema
    let seed: UInt64
    let limits: World.Limits
    let scalars: [String: World.ScalarGenerator]
    private let state = Guarded(WorldState())
    private let rules = Guarded<[String: World.MutationRule]>([:])

    var schema: Schema { known.schema }

    init(_ known: WorldSchema, seed: UInt64, limits: World.Limits, scalars: [String: World.ScalarGenerator]) {
        self.known = known
        self.seed = seed
        self.limits = limits
        self.scalars = scalars
    }

    /// A field of an object with its arguments.
    struct Place {
        let object: WorldObject
        let field: SchemaField
        let arguments: LocalArguments
        let mattering: [JSONValue.Member]
        /// The identity of the field's value: the object, the field, and the arguments that matter.
        let key: String
        let path: [JSONValue.PathComponent]
    }

    /// The root of queries.
    var queryRoot: WorldObject? { schema.queryType.map { WorldObject(type: $0, key: "Query") } }

    /// The root for an operation of a kind; the event with this number for a subscription.
    func root(for kind: BatonSyntax.OperationKind, event: Int = 1) -> WorldObject? {
        switch kind {
        case .query: queryRoot
        case .mutation: schema.mutationType.map { WorldObject(type: $0, key: "Mutation") }
        case .subscription: schema.subscriptionType.map { WorldObject(type: $0, key: "Subscription#\(event)") }
        }
    }

    func value(
        of field: SchemaField, on type: SchemaType, _ source: Any, _ arguments: LocalArguments,
        at path: [JSONValue.PathComponent]
    ) throws -> Any? {
        // The root of the service serves every kind of operation.
        let object = source is WorldRoot ? root(for: type) : source as? WorldObject
        guard let object else {
            guard case .value(let value) = ResolvedValue.field(field.name, of: source) else {
                throw LocalError(
                    "A resolver gave a \(Swift.type(of: source)) for '\(type.name)', which has no '\(field.name)'.")
            }
            return value
        }
        return try value(of: field, on: object, arguments, at: path).resolved
    }

    private func root(for type: SchemaType) -> WorldObject? {
        for kind in BatonSyntax.OperationKind.allCases where schema.rootType(for: kind) === type {
            return root(for: kind)
        }
        return nil
    }

    /// The value of a field. That of a mutation changes the world first.
    func value(
        of field: SchemaField, on object: WorldObject, _ arguments: LocalArguments,
        at path: [JSONValue.PathComponent] = []
    ) throws(LocalError) -> WorldValue {
        let place = place(of: field, on: object, arguments, at: path)
        let key = place.key
        let own = object.type === schema.mutationType ? try mutate(place) : nil
        let state = snapshot
        let override = state.overrides.value(
            of: field.name, on: object, interfaces: { object.type.interfaces.map { schema[$0].name } }, at: path)
        if let override { return try overridden(override, field.type, place, key, state) }
        if let own { return own }
        if let special = try special(place, state) { return special }
        return try made(field.type, place, key, state)
    }

    func place(
        of field: SchemaField, on object: WorldObject, _ arguments: LocalArguments, at path: [JSONValue.PathComponent]
    ) -> Place {
        let mattering = known.mattering(arguments, for: field)
        let key = object.key + "." + field.name + WorldSchema.text(of: mattering)
        return Place(object: object, field: field, arguments: arguments, mattering: mattering, key: key, path: path)
    }

    // MARK: - Changes

    /// A world over another schema with the seed, the limits and the changes of this one, which it does not share.
    func copy(over known: WorldSchema, scalars: [String: World.ScalarGenerator]) -> WorldData {
        let scalars = self.scalars.merging(scalars) { own, _ in own }
        let copy = WorldData(known, seed: seed, limits: limits, scalars: scalars)
        let state = snapshot.moved(to: known.schema)
        copy.change { $0 = state }
        let rules = rules.withLock { $0 }
        for (field, rule) in rules { copy.setRule(rule, for: field) }
        return copy
    }

    var snapshot: WorldState { state.withLock { $0 } }

    func change<Result: Sendable>(_ body: (inout WorldState) -> Result) -> Result { state.withLock { body(&$0) } }

    func setRule(_ rule: @escaping World.MutationRule, for field: String) { rules.withLock { $0[field] = rule } }

    func rule(for field: String) -> World.MutationRule? { rules.withLock { $0[field] } }

    func reset() {
        state.withLock { $0 = WorldState() }
        rules.withLock { $0 = [:] }
    }

    // MARK: - Hashes

    func hash(_ key: String) -> WorldHash {
        var hash = WorldHash(seed: seed)
        hash.add(key)
        return hash
    }
}

/// The root value of the service of a world.
struct WorldRoot: Sendable {}
