import Baton
import BatonSchema

/// Turns the edits of type builders into overrides in JSON, which `OverrideReader` checks.
struct EditedOverrides {
    /// The member that stands for the entity of an id.
    static let reference = "$ref"

    private let world: WorldData
    private(set) var mistakes: [String] = []

    /// The greatest depth of objects in objects. Builders may be nested by a loop.
    private static let mostLevels = 100

    init(_ world: WorldData) { self.world = world }

    private mutating func report(_ place: String, _ message: String) { mistakes.append("\(place): \(message)") }

    /// The fields of a type or an entity.
    mutating func fields(
        _ edits: GeneratedCode.Edits, of type: SchemaType, _ place: String
    ) -> [JSONValue.Member] {
        guard case .object(let object) = edits.node else { return [] }
        if !object.types.isEmpty { report(place, "the object type is that of the override") }
        if object.members["id"] != nil, world.known.isEntity(type) {
            report(place, "the field 'id' tells entities apart, so it has no override")
        }
        return members(object, of: type, place, level: 0)
    }

    private mutating func members(
        _ object: ObjectEdits, of type: SchemaType, _ place: String, level: Int
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        for (name, edits) in object.members.sorted(by: { $0.key < $1.key }) {
            let own = "\(place).\(name)"
            // A field that the schema of the world does not have is reported when the override is read.
            guard let field = type.field(named: name) else {
                members.append(.init(name, .null))
                continue
            }
            if let value = value(edits, field.type, own, level: level + 1) { members.append(.init(name, value)) }
        }
        return members
    }

    /// The value of a field or an item; nil if the edits say nothing.
    private mutating func value(
        _ edits: GeneratedCode.Edits, _ type: TypeReference, _ place: String, level: Int
    ) -> JSONValue? {
        if level > Self.mostLevels {
            report(place, "objects are nested more than \(Self.mostLevels) deep")
            return nil
        }
        switch edits.node {
        case .none: return nil
        case .null: return .null
        case .leaf(let json): return json
        case .list(let list): return items(list, type.item ?? type, place, level: level)
        case .object(let object): return self.object(object, world.schema.namedType(of: type), place, level: level)
        }
    }

    private mutating func object(
        _ object: ObjectEdits, _ named: SchemaType, _ place: String, level: Int
    ) -> JSONValue? {
        if let reference = object.members[Self.reference], case .leaf(let id) = reference.node {
            if object.members.count > 1 || !object.types.isEmpty {
                report(place, "an entity that there is has no edits here; it has an override of its own")
            }
            let isNamed = id.stringValue.flatMap { world.type(namedBy: $0) } != nil
            let key = isNamed || named.isAbstract ? nil : world.entity(named, id: id)?.key
            return [Self.reference: key.map { .string($0) } ?? id]
        }
        if let connection = world.known.connection(of: named),
            let list = self.list(of: connection, object, place, level: level)
        {
            return list
        }
        let chosen = object.types.compactMap { world.schema.type(named: $0) }.last { !$0.isAbstract }
        if chosen == nil, let wish = object.types.last {
            report(place, "'\(wish)' leaves the object type open; choose one by '__typename'")
        }
        let name = chosen.map { [JSONValue.Member("__typename", .string($0.name))] } ?? []
        return .object(name + members(object, of: chosen ?? named, place, level: level))
    }

    /// The nodes of a connection, or their number; nil if the edits are about other fields.
    private mutating func list(
        of connection: WorldSchema.Connection, _ object: ObjectEdits, _ place: String, level: Int
    ) -> JSONValue? {
        let edges = connection.edges.flatMap { object.members[$0.name] }
        let nodes = connection.nodes.sorted().compactMap { object.members[$0] }.first
        guard let list = edges ?? nodes else { return nil }
        if object.members.count > 1 {
            report(place, "a connection has one list, of 'edges' or of 'nodes', and the rest follows from it")
        }
        guard case .list(let items) = list.node else { return nil }
        guard edges != nil else { return self.items(items, connection.nodeType, place, level: level) }
        var ofNodes = ListEdits()
        ofNodes.count = items.count
        for (index, edge) in items.items {
            ofNodes.items[index] = node(of: edge, connection, "\(place).edges[\(index)]")
        }
        ofNodes.all = node(of: items.all, connection, "\(place).edges.all")
        return self.items(ofNodes, connection.nodeType, place, level: level)
    }

    private mutating func node(
        of edge: GeneratedCode.Edits, _ connection: WorldSchema.Connection, _ place: String
    ) -> GeneratedCode.Edits {
        if case .none = edge.node { return edge }
        guard let name = connection.node?.name, case .object(let object) = edge.node,
            object.members.keys.allSatisfy({ $0 == name })
        else {
            report(
                place, "an override gives the nodes; what else is in an edge follows from them, or is one of its type")
            return .init()
        }
        return object.members[name] ?? .init()
    }

    private mutating func items(
        _ list: ListEdits, _ item: TypeReference, _ place: String, level: Int
    ) -> JSONValue? {
        let count = list.count ?? list.least
        if list.count == nil, list.items.isEmpty {
            report(place, "nothing says how long the list is; set its 'count'")
            return nil
        }
        guard count <= World.Limits.longest else { return ["$count": .int(count)] }
        var isMade = true
        if case .none = list.all.node {} else { isMade = false }
        if isMade, list.items.isEmpty { return ["$count": .int(count)] }
        if list.least > count {
            report(place, "the list has \(count) items, and one with the index \(list.least - 1) is edited")
            return nil
        }
        var values: [JSONValue] = []
        for index in 0..<count {
            let edits = (list.items[index] ?? .init()).over(list.all)
            values.append(value(edits, item, "\(place)[\(index)]", level: level + 1) ?? .object([]))
        }
        return .array(values)
    }
}

extension GeneratedCode.Edits {
    /// These edits, and those of the others where these say nothing.
    fileprivate func over(_ others: Self) -> Self {
        switch (node, others.node) {
        case (.none, _): return others
        case (.object(let own), .object(let other)):
            var merged = own
            if own.types.isEmpty { merged.types = other.types }
            merged.members.merge(other.members) { $0.over($1) }
            return .init(.object(merged))
        case (.list(let own), .list(let other)):
            var merged = own
            merged.count = own.count ?? other.count
            merged.items.merge(other.items) { $0.over($1) }
            merged.all = own.all.over(other.all)
            return .init(.list(merged))
        default: return self
        }
    }
}
