import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The fields that identify the objects of a type instead of `id`, as `@typePolicy(keyFields: "isbn edition")` says.
///
/// A policy of an interface counts for the object types that implement it and have none of their own. Where the
/// configuration names another field than `id`, that field is the key of the types that have it.
///
/// Reference: https://www.apollographql.com/docs/ios/caching/cache-key-resolution
package struct KeyFields: Sendable {
    /// The identity of one object type.
    package struct Key: Sendable, Hashable {
        package let type: String
        package let fields: [String]
        /// Whether the value alone is the identity, without the name of the type.
        package let isGlobal: Bool
    }

    private let schema: Schema
    private var keys: [TypeID: Key] = [:]
    package private(set) var diagnostics: [Diagnostic] = []

    package init(_ schema: Schema) {
        self.schema = schema
        let name = schema.names.nodeInterfaceIDField
        if name != "id" {
            for type in schema.types where type.kind == .object && Self.hasIdentifier(type, name, schema) {
                let isNode = schema.nodeInterface.map { schema.implements(type, $0) } ?? false
                keys[type.id] = Key(type: type.name, fields: [name], isGlobal: isNode)
            }
        }
        let policies = schema.types.filter { $0.directives.named("typePolicy")?.argument("keyFields") != nil }
        for type in schema.types { refuseOtherPolicies(of: type) }
        for type in policies where type.kind == .interface { add(interface: type, among: policies) }
        for type in policies where type.kind == .object {
            keys[type.id] = fields(of: type).map { Key(type: type.name, fields: $0, isGlobal: false) }
        }
    }

    /// Whether every type goes by the rules without key fields.
    package var isEmpty: Bool { keys.isEmpty }

    /// The key of an object type; nil if it goes by its `id`.
    package func key(of type: SchemaType) -> Key? { keys[type.id] }

    /// The keys of the object types that an operation may meet, sorted by name.
    package func met(in plan: SelectionPlan) -> [Key] {
        if keys.isEmpty { return [] }
        var met: Set<Key> = []
        visit(plan, into: &met)
        return met.sorted { $0.type < $1.type }
    }

    /// The depth limit of `Flatten` bounds the recursion.
    private func visit(_ plan: SelectionPlan, into met: inout Set<Key>) {
        for type in schema.possibleTypes(of: plan.type) { keys[type.id].map { _ = met.insert($0) } }
        for item in plan.items {
            switch item {
            case .field(let field): if let inner = field.selections { visit(inner, into: &met) }
            case .inline(let inline): visit(inline.selections, into: &met)
            case .spread: break
            }
        }
    }

    // MARK: - Policies

    /// Refuses what policies of Apollo say about the fields of a type. A policy without key fields leaves the rule of
    /// the type as it is.
    private mutating func refuseOtherPolicies(of type: SchemaType) {
        guard let directive = type.directives.named("typePolicy") else { return }
        if directive.arguments.isEmpty {
            report("the policy of '\(type.name)' names no field", at: directive.name.span, "name the fields of its key")
        }
        for (name, advice) in [
            ("connectionFields", "write '@connection' at the field in documents"), ("embeddedFields", "leave it out"),
        ] {
            guard let value = directive.argument(name), !value.isNull else { continue }
            report("'@typePolicy(\(name):)' is not supported", at: value.span, advice)
        }
    }

    private mutating func add(interface: SchemaType, among policies: [SchemaType]) {
        guard let fields = fields(of: interface) else { return }
        for type in schema.possibleTypes(of: interface) where type.directives.named("typePolicy") == nil {
            if let other = policies.first(where: { other in
                other.kind == .interface && other !== interface && schema.implements(type, other)
                    && Self.names(of: other) != fields
            }) {
                let names = [interface.name, other.name].sorted().map { "'\($0)'" }.joined(separator: " and ")
                let suggestion = "write '@typePolicy' at '\(type.name)'"
                report("the key of '\(type.name)' is not certain: \(names) have others", at: type.span, suggestion)
                continue
            }
            keys[type.id] = Key(type: type.name, fields: fields, isGlobal: false)
        }
    }

    private static func names(of type: SchemaType) -> [String] {
        guard case .string(let text)? = type.directives.named("typePolicy")?.argument("keyFields") else { return [] }
        return text.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    }

    /// The names in a policy; nil if one of them cannot be part of a key.
    private mutating func fields(of type: SchemaType) -> [String]? {
        let names = Self.names(of: type)
        guard let value = type.directives.named("typePolicy")?.argument("keyFields") else { return nil }
        if names.isEmpty {
            report("the policy of '\(type.name)' names no field", at: value.span, "name the fields of its key")
            return nil
        }
        for (index, name) in names.enumerated() {
            if let mistake = mistake(name, type, isRepeated: names[..<index].contains(name)) {
                let isUnknown = type.field(named: name) == nil
                let question = isUnknown ? Spelling.question(for: name, among: type.fields.map(\.name)) : nil
                report(mistake, at: value.span, question)
                return nil
            }
        }
        return names
    }

    private func mistake(_ name: String, _ type: SchemaType, isRepeated: Bool) -> String? {
        guard let field = type.field(named: name) else { return "unknown field '\(name)' on type '\(type.name)'" }
        let place = "'\(type.name).\(name)' cannot be part of a key: "
        if isRepeated { return place + "it is named twice" }
        if field.isClientOnly { return place + "no answer brings it" }
        if field.arguments.contains(where: \.isRequired) { return place + "it needs arguments" }
        if field.type.isList || !schema.namedType(of: field.type).isLeaf {
            return place + "it is no scalar and no enum"
        }
        return nil
    }

    private mutating func report(_ message: String, at span: Span, _ suggestion: String?) {
        let diagnostic = Diagnostic(.invalidTypePolicy, message, at: span, suggestion: suggestion)
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    /// Whether a type has an identifier that `GenerateIDs` asks for.
    private static func hasIdentifier(_ type: SchemaType, _ name: String, _ schema: Schema) -> Bool {
        guard let field = type.field(named: name), !field.isClientOnly else { return false }
        return schema.namedType(of: field.type).name == "ID" && !field.arguments.contains(where: \.isRequired)
    }
}
