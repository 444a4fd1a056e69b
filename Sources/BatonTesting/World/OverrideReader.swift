import Baton
import BatonDiagnostics
import BatonSchema

/// Reads overrides from JSON, and checks them against the schema.
///
/// An object for an entity becomes an entity of its own with these fields, so that it is the same wherever it is met.
/// It has the id that the object gives, or else one that follows from its place in the override.
struct OverrideReader {
    private let world: WorldData
    private let schema: Schema
    private(set) var overrides = WorldOverrides()
    private(set) var mistakes: [String] = []

    init(_ world: WorldData) {
        self.world = world
        schema = world.schema
    }

    mutating func read(_ value: JSONValue) {
        guard case .object(let members) = value else { return report("overrides", "the value is not an object") }
        for member in members {
            if member.name.hasPrefix("$") {
                readPath(member)
            } else if member.name.contains(":") {
                readEntity(member)
            } else if let dot = member.name.firstIndex(of: ".") {
                let field = String(member.name[member.name.index(after: dot)...])
                readType(String(member.name[..<dot]), [.init(field, member.value)], member.name)
            } else if case .object(let fields) = member.value {
                readType(member.name, fields, member.name)
            } else {
                report(member.name, "the fields of a type are an object")
            }
        }
    }

    private mutating func report(_ place: String, _ message: String) { mistakes.append("\(place): \(message)") }

    // MARK: - What an override is about

    private mutating func readPath(_ member: JSONValue.Member) {
        let text = member.name.dropFirst().split { ".[]".contains($0) }
        guard !text.isEmpty else { return report(member.name, "the path names no field") }
        let pattern: WorldOverrides.Pattern = text.map { component in
            if component == "*" { return nil }
            return Int(component).map { .index($0) } ?? .key(String(component))
        }
        overrides.set(pattern, to: member.value)
    }

    private mutating func readEntity(_ member: JSONValue.Member) {
        guard let type = world.type(namedBy: member.name) else {
            let name = String(member.name.prefix { $0 != ":" })
            return report(member.name, "the schema has no type '\(name)' with a field 'id'\(question(name))")
        }
        guard case .object(let fields) = member.value else {
            return report(member.name, "the fields of an entity are an object")
        }
        set(fields, of: type, entity: member.name)
    }

    private mutating func set(_ fields: [JSONValue.Member], of type: SchemaType, entity key: String) {
        for field in fields where !["id", "__typename", "$ref"].contains(field.name) {
            guard let value = checked(field, on: type, key) else { continue }
            overrides.set(field.name, ofEntity: key, to: value)
        }
    }

    private mutating func readType(_ name: String, _ fields: [JSONValue.Member], _ place: String) {
        guard let type = schema.type(named: name), type.kind == .object || type.kind == .interface else {
            return report(place, "the schema has no object type or interface '\(name)'\(question(name))")
        }
        for field in fields {
            if field.name == "id", type.isAbstract || world.known.isEntity(type) {
                report(place, "the field 'id' tells entities apart, so it has no override")
            } else if let value = checked(field, on: type, name) {
                overrides.set(field.name, ofType: name, to: value)
            }
        }
    }

    private func question(_ name: String) -> String {
        let names = schema.types.filter { ($0.kind == .object || $0.kind == .interface) && !$0.isPredeclared }.map(
            \.name)
        return Spelling.question(for: name, among: names).map { "; \($0)" } ?? ""
    }

    // MARK: - Values

    private mutating func checked(_ field: JSONValue.Member, on type: SchemaType, _ place: String) -> JSONValue? {
        guard let definition = type.field(named: field.name) else {
            let question = Spelling.question(for: field.name, among: type.fields.map(\.name)).map { "; \($0)" } ?? ""
            report(place, "the type '\(type.name)' has no field '\(field.name)'\(question)")
            return nil
        }
        return checked(field.value, definition.type, "\(place).\(field.name)")
    }

    /// The value with its entities as references; nil after a mistake.
    private mutating func checked(_ value: JSONValue, _ type: TypeReference, _ place: String) -> JSONValue? {
        if value == .null {
            if type.isNonNull { report(place, "a \(schema.describe(type)) is not null") }
            return type.isNonNull ? nil : .null
        }
        let named = schema.namedType(of: type)
        if let count = value["$count"] {
            guard type.isList || world.known.connection(of: named) != nil, let number = count.intValue,
                (0...World.Limits.longest).contains(number)
            else {
                report(place, "a list has from 0 to \(World.Limits.longest) items")
                return nil
            }
            return value
        }
        if let item = type.item { return checkedList(value, item, place) }
        if named.isLeaf {
            do throws(LocalError) {
                return try ResultCoercion.coerce(value, to: named)
            } catch {
                report(place, error.message)
                return nil
            }
        }
        if let connection = world.known.connection(of: named), case .array = value {
            return checkedList(value, connection.nodeType, place)
        }
        return checkedObject(value, named, place)
    }

    private mutating func checkedList(_ value: JSONValue, _ item: TypeReference, _ place: String) -> JSONValue? {
        guard case .array(let values) = value else {
            report(place, "the value is not a list")
            return nil
        }
        var items: [JSONValue] = []
        for (index, value) in values.enumerated() {
            guard let item = checked(value, item, "\(place)[\(index)]") else { return nil }
            items.append(item)
        }
        return .array(items)
    }

    private mutating func checkedObject(_ value: JSONValue, _ named: SchemaType, _ place: String) -> JSONValue? {
        guard case .object(let members) = value else {
            report(place, "the value is not an object")
            return nil
        }
        if let reference = value["$ref"] {
            guard case .string(let key) = reference, let type = world.type(namedBy: key),
                schema.isPossible(type, for: named)
            else {
                report(place, "'\(reference.stringValue ?? reference.text)' is no identity of a '\(named.name)'")
                return nil
            }
            return ["$ref": .string(key)]
        }
        var concrete = named.isAbstract ? nil : named
        if case .string(let name)? = value["__typename"] {
            guard let stated = schema.type(named: name), schema.isPossible(stated, for: named) else {
                report(place, "'\(name)' is no object type of '\(named.name)'")
                return nil
            }
            concrete = stated
        }
        if case .string(let id)? = value["id"], let stated = world.type(namedBy: id),
            schema.isPossible(stated, for: named)
        {
            concrete = concrete ?? stated
        }
        guard let type = concrete ?? world.concreteType(of: named, place) else {
            report(place, "'\(named.name)' has no object types")
            return nil
        }
        if world.known.isEntity(type) {
            let key: String
            if let id = value["id"] {
                guard let found = world.entity(type, id: id) else {
                    report(place, "'\(id.stringValue ?? id.text)' is no id of a '\(type.name)'")
                    return nil
                }
                key = found.key
            } else {
                key = world.newKey(type, for: place)
            }
            set(members, of: type, entity: key)
            return ["$ref": .string(key)]
        }
        var kept: [JSONValue.Member] = named.isAbstract ? [.init("__typename", .string(type.name))] : []
        for member in members where member.name != "__typename" {
            guard let value = checked(member, on: type, place) else { return nil }
            kept.append(.init(member.name, value))
        }
        return .object(kept)
    }
}
