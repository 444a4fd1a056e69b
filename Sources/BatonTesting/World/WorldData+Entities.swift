import Baton
import BatonSchema

// Entities and their ids.

extension WorldData {
    /// The entity with a number. Its identity is `Type:number`.
    func entity(_ type: SchemaType, number: Int) -> WorldObject {
        let key = "\(type.name):\(number)"
        return WorldObject(type: type, key: key, id: id(of: type, key, number))
    }

    /// The id of an entity by the type of the field `id`.
    private func id(of type: SchemaType, _ key: String, _ number: Int) -> JSONValue {
        switch idForm(of: type) {
        case .number: .int(number)
        case .text: .string(key)
        case .made(let scalar):
            self.scalar(
                scalar, World.Draw(typeName: type.name, fieldName: "id", number: hash(key).number("value")))
        }
    }

    private enum IDForm {
        case number
        case text
        /// A custom scalar with a form of its own, such as `UUID`.
        case made(SchemaType)
    }

    private func idForm(of type: SchemaType) -> IDForm {
        guard let field = known.idField(of: type) else { return .text }
        let named = schema.namedType(of: field.type)
        switch named.name {
        case "Int": return .number
        case "ID", "String": return .text
        default:
            if scalars[named.name] != nil || LeafTable.knowsIDs(of: named.name) { return .made(named) }
            return LeafTable.isNumber(named.name) ? .number : .text
        }
    }

    /// The id that an argument `id` asks for, or the field `id` of an only input object.
    static func wantedID(in arguments: [JSONValue.Member]) -> JSONValue? {
        if let id = arguments.first(where: { $0.name == "id" }) { return id.value }
        guard let only = arguments.first, arguments.count == 1, let id = only.value["id"], id != .null else {
            return nil
        }
        return id
    }

    /// The entity of an id among those of a type; nil if the id names another type, or none.
    ///
    /// For an object type, an id that the world would not make is an entity too.
    func entity(_ named: SchemaType, id: JSONValue) -> WorldObject? {
        let possible = (named.isAbstract ? schema.possibleTypes(of: named) : [named]).filter { known.isEntity($0) }
        if case .string(let text) = id, let type = type(namedBy: text) {
            return possible.contains { $0 === type } ? entity(type, key: text) : nil
        }
        for type in possible {
            if case .made = idForm(of: type),
                let found = (1...limits.entities).lazy.map({ self.entity(type, number: $0) })
                    .first(where: { $0.id == id })
            {
                return found
            }
        }
        guard let only = possible.first, possible.count == 1 else { return nil }
        switch id {
        case .int(let number): return entity(only, number: number)
        case .string(let text):
            if case .number = idForm(of: only), let number = Int(text) { return entity(only, number: number) }
            let key = "\(only.name):\(text)"
            // The ids of globally identified objects belong to one type each.
            if let node = schema.nodeInterface, schema.implements(only, node) { return entity(only, key: key) }
            return WorldObject(type: only, key: key, id: id)
        default: return nil
        }
    }

    /// The entity of an identity, such as `Film:1`.
    func entity(_ type: SchemaType, key: String) -> WorldObject {
        let local = key.dropFirst(type.name.utf8.count + 1)
        if let number = Int(local) { return WorldObject(type: type, key: key, id: id(of: type, key, number)) }
        return WorldObject(type: type, key: key, id: .string(key))
    }

    /// The entity type that an identity begins with.
    func type(namedBy key: String) -> SchemaType? {
        guard let colon = key.firstIndex(of: ":"), let type = schema.type(named: String(key[..<colon])),
            known.isEntity(type)
        else { return nil }
        return type
    }

    /// An object that belongs to its place alone. If its type has a field `id`, the id follows from the place.
    func placed(_ type: SchemaType, _ key: String) -> WorldObject {
        guard known.isEntity(type) else { return WorldObject(type: type, key: key) }
        return entity(type, key: "\(type.name):\(Self.localID(hash(key).number("placed"), idForm(of: type)))")
    }

    /// A new identity that no other entity has, for a text that says what it is for.
    func newKey(_ type: SchemaType, for text: String) -> String {
        "\(type.name):\(Self.localID(hash(text).number("new"), idForm(of: type)))"
    }

    private static func localID(_ number: UInt64, _ form: IDForm) -> String {
        if case .text = form { return "x" + String(number % 0x1_0000_0000_0000, radix: 36) }
        // Beyond the numbers of lists.
        return String(1_000_000 + number % 1_000_000_000)
    }
}
