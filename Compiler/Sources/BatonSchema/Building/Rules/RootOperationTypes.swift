import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Returns the types that a schema definition names, or without a schema definition the types with the default
    /// names. Checks that they are different object types.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Root-Operation-Types
    mutating func rootTypes() -> [OperationKind: TypeID] {
        var roots: [OperationKind: TypeID] = [:]
        var named: [OperationKind: RootOperationType] = [:]
        var kinds: [TypeID: RootOperationType] = [:]
        for definition in [schemaDefinition].compactMap(\.self) + schemaExtensions {
            for root in definition.operationTypes {
                if let first = named[root.kind] {
                    report(
                        .duplicateDefinition,
                        "the \(root.kind.rawValue) type is named twice",
                        at: root.span,
                        notes: [.init("first named here", at: first.span)]
                    )
                    continue
                }
                named[root.kind] = root
                guard let index = typeIndex[root.type.text] else {
                    reportUnknownType(root.type) { $0 == .object }
                    continue
                }
                guard isRoot(index, at: root.type.span, kind: root.kind) else { continue }
                roots[root.kind] = TypeID(index)
                if let first = kinds.updateValue(root, forKey: TypeID(index)) {
                    report(
                        .invalidRootType,
                        "the \(root.kind.rawValue) type must be another type than the \(first.kind.rawValue) type",
                        at: root.type.span,
                        notes: [.init("named here", at: first.type.span)]
                    )
                }
            }
        }
        if schemaDefinition == nil {
            let defaults: [(OperationKind, String)] = [
                (.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
            ]
            for (kind, name) in defaults where named[kind] == nil {
                guard let index = typeIndex[name], isRoot(index, at: types[index].name.span, kind: kind) else {
                    continue
                }
                roots[kind] = TypeID(index)
                if let other = kinds[TypeID(index)] {
                    report(
                        .invalidRootType,
                        "the \(other.kind.rawValue) type must be another type than the \(kind.rawValue) type",
                        at: other.type.span,
                        notes: [.init("'\(name)' is the \(kind.rawValue) type by its name", at: types[index].name.span)]
                    )
                }
            }
        }
        if roots[.query] == nil, named[.query] == nil, schemaDefinition != nil || typeIndex["Query"] == nil {
            reportMissingQuery()
        }
        return roots
    }

    private mutating func reportMissingQuery() {
        let firstType = types.first { $0.origin == .schema }?.name.span
        let place = schemaDefinition?.keyword ?? schemaExtensions.first?.keyword ?? firstType
        let firstDirective = directives.values.lazy.filter { $0.origin == .schema }.map(\.definition.name.span).min()
        // A schema without any definition has been reported by the parser.
        guard let span = place ?? firstDirective, schemaDefinition?.isBroken != true else { return }
        let hasDefaultName = typeIndex["Query"].map { types[$0].kind == .object } ?? false
        report(
            .missingQueryType,
            "the schema has no query type",
            at: span,
            suggestion: hasDefaultName
                ? "write 'query: Query' in it" : "define 'type Query', or name it with 'schema { query: ... }'"
        )
    }

    private mutating func isRoot(_ index: Int, at span: Span, kind: OperationKind) -> Bool {
        if types[index].kind == .object { return true }
        // A type that could not be parsed completely may be an object.
        if types[index].isBroken { return false }
        report(
            .invalidRootType,
            "the \(kind.rawValue) type must be an object type, '\(types[index].name.text)' is none",
            at: span,
            notes: types[index].name.span == span ? [] : definedHere(types[index])
        )
        return false
    }
}
