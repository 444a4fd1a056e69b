import Baton
import BatonSchema
import BatonSyntax

/// A server's data: every field of every object has one value, which follows from the object and the arguments.
///
/// The value is a hash of a text, so that another language gives the same values. There are few objects with an `id`,
/// so that they occur again and again. Some values are errors, as if a resolver threw. A null argument and a missing
/// argument give the same value.
package struct World {
    let schema: Schema
    /// Whether values may be errors.
    let hasErrors: Bool

    struct Object: Sendable, Hashable {
        /// The text from which all values of the object are computed.
        let identity: String
        let typeName: String
    }

    enum Value {
        case null
        case error
        case leaf(JSONValue)
        case object(Object)
        case list([Value])
    }

    /// The value of a field. `arguments` have the schema's defaults filled in. The fields of the client have no values
    /// here.
    func value(of field: SchemaField, on object: Object, _ arguments: [JSONValue.Member]) -> Value {
        if field.name == "id" { return .leaf(.string(object.identity)) }
        if field.isClientOnly { return .null }
        let key = Self.key(of: field, on: object, arguments)
        let levels = field.levelsWithoutNull(on: schema.type(named: object.typeName))
        let mayFail = hasErrors && object.typeName != "PageInfo" && !Self.added.contains(field.name)
        return value(of: field.type, key, level: 0, levels, mayFail: mayFail)
    }

    /// The text from which the value of a field is computed.
    static func key(of field: SchemaField, on object: Object, _ arguments: [JSONValue.Member]) -> String {
        "\(object.identity).\(field.name)\(Self.text(of: .object(arguments)))"
    }

    /// Fields that never fail, because the compiler asks for them beside the documents.
    private static let added: Set<String> = ["cursor", "pageInfo"]
    private static let lengths = [0, 1, 2, 2, 3]

    private func value(
        of type: TypeReference, _ key: String, level: Int, _ levels: Set<Int>, mayFail: Bool
    ) -> Value {
        if mayFail, Self.hash(key, "error") % 16 == 0 { return .error }
        if !type.isNonNull, !levels.contains(level), Self.hash(key, "null") % 10 == 0 { return .null }
        if let item = type.item {
            let length = Self.lengths[Int(Self.hash(key, "length") % 5)]
            return .list(
                (0..<length).map { value(of: item, "\(key)[\($0)]", level: level + 1, levels, mayFail: mayFail) })
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

    /// The FNV-1a hash of the text and a word, with 64 bits and a final mixing step.
    static func hash(_ text: String, _ word: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (text + "#" + word).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 29
        hash = hash &* 0xBF58_476D_1CE4_E5B9
        return hash ^ (hash >> 32)
    }
}

extension SchemaField {
    /// The levels of lists at which each null is an error, by `@semanticNonNull` and the `@semanticNonNullField` of the
    /// object's type. Level 0 is the field itself.
    fileprivate func levelsWithoutNull(on type: SchemaType?) -> Set<Int> {
        let ofType = type?.directives.first { directive in
            guard case .string(let name)? = directive.argument("name") else { return false }
            return directive.name.text == "semanticNonNullField" && name.text == self.name
        }
        guard let directive = directives.first(where: { $0.name.text == "semanticNonNull" }) ?? ofType else {
            return []
        }
        guard case .list(let levels)? = directive.argument("levels") else { return [0] }
        return Set(levels.values.compactMap { if case .int(let number) = $0 { Int(number.text) } else { nil } })
    }
}
