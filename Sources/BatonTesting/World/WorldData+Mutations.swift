import Baton
import BatonSchema

// Mutations: a rule found by the field's name and the payload's type, or the overrides of the test.

extension WorldData {
    /// Changes the world by a field of the mutation type, and returns the field's value.
    func mutate(_ place: Place) throws(LocalError) -> WorldValue {
        let field = place.field
        guard snapshot.size < World.Limits.changes else {
            throw LocalError(
                "Mutations have added \(World.Limits.changes >> 20) MB to this world. Reset it, or start anew.")
        }
        if let rule = rule(for: field.name) {
            var reader = OverrideReader(self)
            reader.read(rule(place.arguments))
            guard reader.mistakes.isEmpty else { throw LocalError(reader.mistakes.joined(separator: "; ")) }
            let overrides = reader.overrides
            change { $0.overrides.add(overrides) }
        }
        let inputs = inputs(of: place)
        let phrase = WorldEffect.Phrase(field.name)
        let target = target(of: field, phrase)
        let references = references(in: inputs)
        var effect = WorldEffect(verb: verb(phrase, target, inputs), named: references, inputs: inputs)
        if let target {
            switch effect.verb {
            case .create: effect.entities = [create(target, inputs, references)]
            case .update: effect.entities = affected(target, place, inputs, references, phrase)
            case .delete: effect.entities = affected(target, place, inputs, references, phrase)
            }
            for entity in effect.entities where effect.verb != .delete || rule(for: field.name) == nil {
                apply(effect, to: entity, hasRule: rule(for: field.name) != nil)
            }
        }
        return try payload(place, effect)
    }

    private func apply(_ effect: WorldEffect, to entity: WorldObject, hasRule: Bool) {
        guard !hasRule else { return }
        if effect.verb == .delete {
            change { state in
                state.deleted.insert(entity.key)
                state.created[entity.type.name]?.removeAll { $0.key == entity.key }
            }
            return
        }
        let values = values(for: entity, effect)
        change { state in
            for (field, value) in values { state.overrides.set(field, ofEntity: entity.key, to: value) }
        }
    }

    // MARK: - What a mutation is about

    /// The arguments, and the members of the input objects among them. What a scalar has, such as one for files, counts
    /// as if it stood beside it.
    private func inputs(of place: Place) -> [JSONValue.Member] {
        var inputs: [JSONValue.Member] = []
        for name in place.arguments.names.sorted() {
            guard let value = place.arguments[name] else { continue }
            inputs.append(.init(name, value))
            guard case .object(let members) = value else { continue }
            inputs += members
            guard let argument = place.field.argument(named: name) else { continue }
            let type = schema.namedType(of: argument.type)
            for member in members {
                guard let input = type.inputField(named: member.name), schema.namedType(of: input.type).isLeaf,
                    case .object(let parts) = member.value
                else { continue }
                inputs += parts
            }
        }
        return inputs
    }

    /// The entity type that a mutation is about: of the payload's fields the one that the name means, or else the type
    /// that has the name, or the first of the payload.
    private func target(of field: SchemaField, _ phrase: WorldEffect.Phrase) -> SchemaType? {
        let named = schema.namedType(of: field.type)
        let candidates =
            known.isEntity(named)
            ? [named]
            : payloadTypes(of: named).flatMap { payload in
                payload.fields.compactMap { field in entityType(of: field) }
            }
        if let meant = candidates.first(where: { phrase.means($0) }) { return meant }
        if let exact = schema.types.first(where: { known.isEntity($0) && phrase.names($0) }) { return exact }
        if let first = candidates.first { return first }
        return schema.types.first { known.isEntity($0) && phrase.means($0) }
    }

    /// The object types of a payload, without those of errors where there are others.
    private func payloadTypes(of named: SchemaType) -> [SchemaType] {
        guard named.isComposite else { return [] }
        let types = schema.possibleTypes(of: named)
        let others = types.filter { !$0.name.contains("Error") }
        return others.isEmpty ? types : others
    }

    /// The entity type of a payload's field, or of the node of its edge.
    private func entityType(of field: SchemaField) -> SchemaType? {
        let named = schema.namedType(of: field.type)
        if known.isEntity(named) { return named }
        guard named.kind == .object, named.field(named: "cursor") != nil, let node = named.field(named: "node") else {
            return nil
        }
        let type = schema.namedType(of: node.type)
        return known.isEntity(type) ? type : nil
    }

    private func verb(
        _ phrase: WorldEffect.Phrase, _ target: SchemaType?, _ inputs: [JSONValue.Member]
    ) -> WorldEffect.Verb {
        guard let target, phrase.verb != .update else { return .update }
        let means = phrase.means(target)
        let ids = ids(of: target, in: inputs)
        switch phrase.verb {
        case .create: return (phrase.isCertain || means) && ids.isEmpty ? .create : .update
        case .delete: return phrase.isCertain || means ? .delete : .update
        case .update: return .update
        }
    }

    /// The ids of the input that are those of a type's entities: `id`, `ids`, `filmId`.
    private func ids(of type: SchemaType, in inputs: [JSONValue.Member]) -> [JSONValue] {
        let own = type.name.prefix(1).lowercased() + type.name.dropFirst()
        for name in ["id", own + "Id", own + "ID", "ids", own + "Ids"] {
            guard let value = inputs.last(where: { $0.name == name && $0.value != .null })?.value else { continue }
            if case .array(let values) = value { return values }
            return [value]
        }
        return []
    }

    /// The entities that the input names by identities of the world.
    private func references(in inputs: [JSONValue.Member]) -> [WorldObject] {
        inputs.compactMap { input in
            guard case .string(let text) = input.value, let type = type(namedBy: text) else { return nil }
            return entity(type, id: input.value)
        }
    }

    /// The entities that an update or a deletion is about.
    private func affected(
        _ target: SchemaType, _ place: Place, _ inputs: [JSONValue.Member], _ references: [WorldObject],
        _ phrase: WorldEffect.Phrase
    ) -> [WorldObject] {
        let found = ids(of: target, in: inputs).compactMap { entity(target, id: $0) }
        if !found.isEmpty { return found }
        if let named = references.first(where: { $0.type === target }) { return [named] }
        guard phrase.verb != .delete else { return [] }
        // Without an id: the one that the root shows, such as `viewer`.
        guard let query = queryRoot,
            let shown = query.type.fields.first(where: { field in
                field.type.item == nil && field.type.named == target.id
                    && !field.arguments.contains(where: \.isRequired)
            }), case .object(let object)? = try? value(of: shown, on: query, LocalArguments([:]))
        else { return [] }
        return [object]
    }

    private func create(
        _ type: SchemaType, _ inputs: [JSONValue.Member], _ references: [WorldObject]
    ) -> WorldObject {
        let number = change { state in
            state.creations[type.name, default: 0] += 1
            return state.creations[type.name, default: 0]
        }
        // An id that is a number has no text.
        let hasNumbers = entity(type, number: 1).id?.intValue != nil
        let created = entity(
            type, key: hasNumbers ? "\(type.name):\(1_000_000 + number)" : "\(type.name):new\(number)")
        change { state in
            state.created[type.name, default: []].append(created)
            for parent in references { state.members[parent.key, default: []].append(created) }
        }
        return created
    }

    // MARK: - What an entity becomes

    /// The fields of an entity that the input gives.
    private func values(for entity: WorldObject, _ effect: WorldEffect) -> [(String, JSONValue)] {
        var values: [(String, JSONValue)] = []
        for input in effect.inputs where input.name != "id" {
            for name in [input.name, Self.relation(input.name)] {
                guard let name, let field = entity.type.field(named: name),
                    let value = value(input.value, for: field.type)
                else { continue }
                values.append((name, value))
                break
            }
        }
        guard effect.verb == .create else { return values }
        for parent in effect.named {
            let field = entity.type.fields.first { field in
                field.type.item == nil && schema.namedType(of: field.type).isComposite
                    && schema.isPossible(parent.type, for: schema.namedType(of: field.type))
                    && !values.contains { $0.0 == field.name }
            }
            if let field { values.append((field.name, ["$ref": .string(parent.key)])) }
        }
        return values
    }

    /// The field that `directorId` or `tagIds` is about.
    private static func relation(_ name: String) -> String? {
        for (suffix, ending) in [("Ids", "s"), ("IDs", "s"), ("Id", ""), ("ID", "")] where name.hasSuffix(suffix) {
            return name.dropLast(suffix.count) + ending
        }
        return nil
    }

    /// The value of a field by an input; nil if the input does not fit.
    private func value(_ input: JSONValue, for type: TypeReference) -> JSONValue? {
        if input == .null { return type.isNonNull ? nil : .null }
        let named = schema.namedType(of: type)
        if let item = type.item {
            guard case .array(let inputs) = input else { return nil }
            let values = inputs.compactMap { value($0, for: item) }
            return values.count == inputs.count ? .array(values) : nil
        }
        if named.isLeaf { return try? ResultCoercion.coerce(input, to: named) }
        switch input {
        case .string, .int: return entity(named, id: input).map { ["$ref": .string($0.key)] }
        default: return nil
        }
    }

    // MARK: - Payloads

    private func payload(
        _ place: Place, _ effect: WorldEffect
    ) throws(LocalError) -> WorldValue {
        let type = place.field.type
        let named = schema.namedType(of: type)
        let key = place.key
        if named.isLeaf, type.item == nil {
            if let value = leaf(of: effect, named) { return .leaf(value) }
        } else if type.item == nil, let payload = payloadTypes(of: named).first, named.isComposite {
            let found = (effect.entities + effect.named).first { schema.isPossible($0.type, for: named) }
            if let found { return .object(found) }
            var object = placed(payload, key)
            object.role = .payload(effect)
            return .object(object)
        } else if type.item != nil {
            let entities = effect.entities.filter { schema.isPossible($0.type, for: named) }
            if named.isComposite, !entities.isEmpty { return .list(entities.map { .object($0) }) }
        }
        return try made(type, place, key, snapshot)
    }

    private func leaf(of effect: WorldEffect, _ named: SchemaType) -> JSONValue? {
        switch named.name {
        case "Boolean": .bool(true)
        case "ID": effect.entities.first?.id
        default: nil
        }
    }

    /// The field of a payload.
    func payloadValue(
        _ place: Place, _ effect: WorldEffect, _ state: WorldState
    ) throws(LocalError) -> WorldValue? {
        let field = place.field
        let named = schema.namedType(of: field.type)
        if field.name == "clientMutationId" {
            if let id = effect.input("clientMutationId"), id != .null { return .leaf(id) }
            return field.type.isNonNull ? nil : .null
        }
        if field.name.lowercased().contains("error") || named.name.hasSuffix("Error") {
            if field.type.item != nil { return .list([]) }
            return field.type.isNonNull ? nil : .null
        }
        if named.isLeaf {
            let isID = field.name == "id" || field.name.lowercased().hasPrefix("deleted")
            guard field.type.item == nil else {
                return isID ? .list(effect.entities.map { $0.id.map { .leaf($0) } ?? .null }) : nil
            }
            if named.name == "Boolean" { return .leaf(.bool(true)) }
            guard isID, let id = effect.entities.first?.id else { return nil }
            return .leaf(id)
        }
        let fitting = (effect.entities + effect.named).filter { schema.isPossible($0.type, for: named) }
        if field.type.item != nil {
            if !fitting.isEmpty { return .list(fitting.map { .object($0) }) }
        } else if let entity = fitting.first {
            return .object(entity)
        }
        if field.type.item == nil, named.kind == .object, named.field(named: "cursor") != nil,
            let node = named.field(named: "node"),
            let entity = effect.entities.first(where: {
                schema.isPossible($0.type, for: schema.namedType(of: node.type))
            })
        {
            let item = WorldItem(value: .object(entity), cursor: entity.key, isDeleted: false)
            return .object(edge(named, item, in: place.key))
        }
        return nil
    }
}
