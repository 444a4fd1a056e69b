import Baton
import BatonSchema

/// A server's data: every field of every object has one value, which follows from the object and the arguments.
///
/// The value is a hash of a text, so that another language gives the same values. Objects with an `id` are few and are
/// met again and again. The world does not tell an argument that is null from one that is left out.
struct World {
    let schema: Schema

    /// An object of the world.
    struct Object: Sendable, Hashable {
        /// The text from which all values of the object follow.
        let identity: String
        let typeName: String
    }

    /// A value of the world.
    enum Value {
        case null
        case leaf(JSONValue)
        case object(Object)
        case list([Value])
    }

    /// The value of a field; `arguments` have the defaults of the schema filled in.
    func value(of field: SchemaField, on object: Object, _ arguments: [JSONValue.Member]) -> Value {
        if field.name == "id" { return .leaf(.string(object.identity)) }
        let key = "\(object.identity).\(field.name)\(Self.text(of: .object(arguments)))"
        return value(of: field.type, key)
    }

    private static let lengths = [0, 1, 2, 2, 3]

    private func value(of type: TypeReference, _ key: String) -> Value {
        if !type.isNonNull, Self.hash(key, "null") % 10 == 0 { return .null }
        if let item = type.item {
            return .list((0..<Self.lengths[Int(Self.hash(key, "length") % 5)]).map { value(of: item, "\(key)[\($0)]") })
        }
        let named = schema.namedType(of: type)
        if named.isComposite { return .object(object(of: named, key)) }
        let number = Self.hash(key, "value")
        switch named.name {
        case "Int": return .leaf(.int(Int(number % 100)))
        case "Boolean": return .leaf(.bool(number % 2 == 0))
        case "E": return .leaf(.string(number % 2 == 0 ? "A" : "B"))
        default: return .leaf(.string("v\(number % 1_000_000)"))
        }
    }

    private func object(of type: SchemaType, _ key: String) -> Object {
        let types = schema.possibleTypes(of: type).sorted { $0.name < $1.name }
        let object = types[Int(Self.hash(key, "type") % UInt64(max(types.count, 1)))]
        guard object.field(named: "id") != nil else { return Object(identity: key, typeName: object.name) }
        return Object(identity: "\(object.name)-\(Self.hash(key, "id") % 5)", typeName: object.name)
    }

    /// The text of a value: members sorted by name, without those that are null.
    static func text(of value: JSONValue) -> String {
        guard case .object(let members) = value else { return value.text }
        let shown = members.filter { $0.value != .null }.sorted { $0.name < $1.name }
        return "{" + shown.map { "\($0.name):\(text(of: $0.value))" }.joined(separator: ",") + "}"
    }

    /// FNV-1a of the text and a word, with 64 bits and a last mixing.
    static func hash(_ text: String, _ word: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (text + "#" + word).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 29
        hash = hash &* 0xBF58_476D_1CE4_E5B9
        return hash ^ (hash >> 32)
    }
}
