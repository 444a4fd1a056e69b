// The identity of a record has several owners, this one for keys of the schema; ReadingTheDesign.md names the others.

import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The `@typePolicy(keyFields: "isbn edition")` of one object type or interface.
struct KeyPolicy {
    let type: SchemaType
    let fields: [String]
    /// The place of the names of the fields.
    let span: Span

    /// The policies of a schema: those of interfaces, and then those of objects, which take precedence.
    static func all(in schema: Schema) -> [KeyPolicy] {
        let policies = schema.types.compactMap(KeyPolicy.init)
        return policies.filter { $0.type.kind == .interface } + policies.filter { $0.type.kind == .object }
    }

    private init?(_ type: SchemaType) {
        guard let value = type.directives.named("typePolicy")?.argument("keyFields") else { return nil }
        self.type = type
        span = value.span
        if case .string(let text) = value {
            fields = text.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        } else {
            fields = []
        }
    }

    // MARK: - Types

    /// The object types whose key comes from the policy, unless policies of two interfaces contradict each other.
    func types(in schema: Schema, among policies: [KeyPolicy]) -> [SchemaType] {
        if type.kind == .object { return [type] }
        let rivals = rivals(among: policies)
        return possibleTypes(in: schema).filter { Self.rival(of: $0, among: rivals, in: schema) == nil }
    }

    /// The object types for which another interface names other fields, each with that interface.
    func contestedTypes(
        in schema: Schema, among policies: [KeyPolicy]
    ) -> [(type: SchemaType, other: SchemaType)] {
        if type.kind == .object { return [] }
        let rivals = rivals(among: policies)
        return possibleTypes(in: schema).compactMap { type in
            Self.rival(of: type, among: rivals, in: schema).map { (type, $0.type) }
        }
    }

    /// The object types without a policy of their own.
    private func possibleTypes(in schema: Schema) -> [SchemaType] {
        schema.possibleTypes(of: type).filter { $0.directives.named("typePolicy") == nil }
    }

    /// The policies of other interfaces with other fields.
    private func rivals(among policies: [KeyPolicy]) -> [KeyPolicy] {
        policies.filter { $0.type.kind == .interface && $0.type !== type && $0.fields != fields }
    }

    private static func rival(of type: SchemaType, among rivals: [KeyPolicy], in schema: Schema) -> KeyPolicy? {
        rivals.first { schema.implements(type, $0.type) }
    }

    // MARK: - Fields

    /// The defect in the fields, and a suggestion; nil for a key whose fields servers know.
    func mistake(in schema: Schema) -> (message: String, suggestion: String?)? {
        if fields.isEmpty { return ("the policy of '\(type.name)' names no field", "name the fields of its key") }
        for (index, name) in fields.enumerated() {
            guard let field = type.field(named: name) else {
                let question = Spelling.question(for: name, among: type.fields.map(\.name))
                return ("unknown field '\(name)' on type '\(type.name)'", question)
            }
            guard let reason = reason(against: field, isRepeated: fields[..<index].contains(name), in: schema) else {
                continue
            }
            return ("'\(type.name).\(name)' cannot be part of a key: \(reason)", nil)
        }
        return nil
    }

    private func reason(against field: SchemaField, isRepeated: Bool, in schema: Schema) -> String? {
        if isRepeated { return "it is named twice" }
        if field.isClientOnly { return "no answer brings it" }
        if field.arguments.contains(where: \.isRequired) { return "it needs arguments" }
        if field.type.isList || !schema.namedType(of: field.type).isLeaf { return "it is no scalar and no enum" }
        return nil
    }
}
