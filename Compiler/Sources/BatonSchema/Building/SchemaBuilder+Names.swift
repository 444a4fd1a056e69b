import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Where a type is defined, unless that is nowhere in a file.
    func definedHere(_ type: TypeDraft) -> [Diagnostic.Note] {
        type.name.span.source == .predeclared ? [] : [.init("defined here", at: type.name.span)]
    }

    /// Resolves the type of a field or input value and checks that it may stand there.
    mutating func resolve(_ node: TypeNode, isInput: Bool, of owner: String) -> TypeReference? {
        let name = node.innermost
        guard let index = typeIndex[name.text] else {
            reportUnknownType(name)
            return nil
        }
        let kind = types[index].kind
        let fits = isInput ? kind == .scalar || kind == .enum || kind == .inputObject : kind != .inputObject
        if !fits {
            diagnostics.append(
                Diagnostic(
                    isInput ? .notInputType : .notOutputType,
                    "the type of '\(owner)' must be an \(isInput ? "input" : "output") type, '\(name.text)' is none",
                    at: name.span,
                    notes: definedHere(types[index])
                )
            )
            return nil
        }
        guard let reference = reference(node, named: TypeID(index)) else {
            diagnostics.append(
                Diagnostic(
                    .typeNesting,
                    "the type of '\(owner)' has more than \(TypeReference.maximumDepth) lists and exclamation marks",
                    at: node.span
                )
            )
            return nil
        }
        return reference
    }

    private func reference(_ node: TypeNode, named id: TypeID) -> TypeReference? {
        switch node {
        case .named: TypeReference(id)
        case .list(let item, _): reference(item, named: id)?.listed
        case .nonNull(let inner, _): reference(inner, named: id)?.required
        }
    }

    mutating func reportUnknownType(_ name: Name) {
        diagnostics.append(
            Diagnostic(
                .unknownType,
                "unknown type '\(name.text)'",
                at: name.span,
                suggestion: Spelling.question(for: name.text, among: typeIndex.keys)
            )
        )
    }

    /// Directives on definitions are often the server's own business, so an unknown one is only a warning.
    mutating func checkUses(_ uses: [Directive]) {
        for use in uses where directives[use.name.text] == nil {
            diagnostics.append(
                Diagnostic(
                    .unknownDirective,
                    severity: .warning,
                    "unknown directive '@\(use.name.text)'",
                    at: use.name.span,
                    suggestion: Spelling.question(for: use.name.text, among: directiveOrder).map {
                        $0.replacing("'", with: "'@", maxReplacements: 1)
                    }
                )
            )
        }
    }

    // MARK: - Root types

    /// The types that a schema definition names, or those with the default names.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Root-Operation-Types
    mutating func rootTypes() -> [OperationKind: TypeID] {
        var roots: [OperationKind: TypeID] = [:]
        var named: [OperationKind: RootOperationType] = [:]
        for definition in [schemaDefinition].compactMap(\.self) + schemaExtensions {
            for root in definition.operationTypes {
                if let first = named[root.kind] {
                    diagnostics.append(
                        Diagnostic(
                            .duplicateDefinition,
                            "the \(root.kind.rawValue) type is named twice",
                            at: root.span,
                            notes: [.init("first named here", at: first.span)]
                        )
                    )
                    continue
                }
                named[root.kind] = root
                guard let index = typeIndex[root.type.text] else {
                    reportUnknownType(root.type)
                    continue
                }
                if isRoot(index, at: root.type.span, kind: root.kind) { roots[root.kind] = TypeID(index) }
            }
        }
        if schemaDefinition == nil {
            let defaults: [(OperationKind, String)] = [
                (.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
            ]
            for (kind, name) in defaults where named[kind] == nil {
                if let index = typeIndex[name], isRoot(index, at: types[index].name.span, kind: kind) {
                    roots[kind] = TypeID(index)
                }
            }
        }
        if roots[.query] == nil, named[.query] == nil, typeIndex["Query"] == nil || schemaDefinition != nil {
            diagnostics.append(
                Diagnostic(
                    .missingQueryType,
                    "the schema has no query type",
                    at: schemaDefinition?.span ?? types.first { !$0.origin.isPredeclared }?.name.span ?? .none,
                    suggestion: "define 'type Query', or name it with 'schema { query: ... }'"
                )
            )
        }
        return roots
    }

    private mutating func isRoot(_ index: Int, at span: Span, kind: OperationKind) -> Bool {
        if types[index].kind == .object { return true }
        diagnostics.append(
            Diagnostic(
                .invalidRootType,
                "the \(kind.rawValue) type must be an object type, '\(types[index].name.text)' is none",
                at: span
            )
        )
        return false
    }
}
