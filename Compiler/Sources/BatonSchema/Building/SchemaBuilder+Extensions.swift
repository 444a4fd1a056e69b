import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    mutating func collectExtensions(of document: Document, origin: Origin) {
        for definition in document.definitions {
            switch definition {
            case .type(let type) where type.isExtension: extend(with: type, origin: origin)
            case .schema(var schema) where schema.isExtension:
                if origin == .client { leaveOutServersRoots(&schema) }
                schemaExtensions.append(schema)
            case .directive(let directive) where directive.isExtension: extend(with: directive)
            default: break
            }
        }
    }

    /// Merges an extension of a type; checks that the type exists and is of the same kind.
    ///
    /// A schema for Federation may extend types that it does not define: root types, and entities of other schemas.
    /// Such an extension counts as a definition.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Object-Extensions
    private mutating func extend(with type: TypeDefinition, origin: Origin) {
        let name = type.name.text
        let type = withoutOneOf(type)
        guard let index = typeIndex[name] else {
            if origin == .schema, isDefinition(type) {
                typeIndex[name] = types.count
                types.append(TypeDraft(type, origin: origin))
                return
            }
            let kind = TypeDraft.kind(of: type.body)
            let meant = suggestions(for: name) { $0.kind == kind && !$0.origin.isPredeclared }
            let message = "cannot extend unknown type '\(name)'"
            report(.unknown(.unknownType, message, type.name, meant: meant))
            return
        }
        if types[index].origin == .specification, name.hasPrefix("__") {
            report(.reservedName, "cannot extend '\(name)', which introspection defines", at: type.name.span)
            return
        }
        guard types[index].kind == TypeDraft.kind(of: type.body) else {
            report(
                .extensionKind,
                "cannot extend '\(name)' as \(type.body.keyword), it is \(types[index].article) \(types[index].keyword)",
                at: type.name.span,
                notes: definedHere(types[index]),
                suggestion: "write 'extend \(types[index].keyword) \(name)'"
            )
            return
        }
        types[index].merge(type, isClientOnly: origin == .client)
    }

    /// Merges an extension of a directive, which adds directives to it.
    private mutating func extend(with directive: DirectiveDefinition) {
        let name = directive.name.text
        if definitionDirectives[name] != nil {
            definitionDirectives[name]?.definition.directives += directive.directives
        } else if directives[name] != nil {
            directives[name]?.definition.directives += directive.directives
        } else {
            let known = directives.values.lazy.filter { !$0.origin.isPredeclared }.map(\.definition.name.text)
            report(
                .unknownDirective,
                "cannot extend unknown directive '@\(name)'",
                at: directive.name.span,
                suggestion: Spelling.question(naming: Spelling.suggestions(for: name, among: known).map { "@\($0)" })
            )
        }
    }

    private mutating func leaveOutServersRoots(_ schema: inout SchemaDefinition) {
        schema.operationTypes.removeAll { root in
            guard let type = serverRoots[root.kind] else { return false }
            report(
                .duplicateDefinition,
                "the \(root.kind.rawValue) type is the server's '\(type.name)'",
                at: root.span,
                notes: [.init("defined here", at: type.span)]
            )
            return true
        }
    }

    private func isDefinition(_ type: TypeDefinition) -> Bool {
        guard case .object = type.body else { return false }
        let isRoot =
            ["Query", "Mutation", "Subscription"].contains(type.name.text)
            || ([schemaDefinition].compactMap(\.self) + schemaExtensions).contains { schema in
                schema.operationTypes.contains { $0.type.text == type.name.text }
            }
        return isRoot || type.directives.contains { $0.name.text == "key" }
    }

    /// Checks that an extension does not make an input object a oneOf object, and removes its `@oneOf`, whose arguments
    /// are checked like those of other directives.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Extensions
    private mutating func withoutOneOf(_ type: TypeDefinition) -> TypeDefinition {
        guard case .inputObject = type.body,
            let directive = type.directives.first(where: { $0.name.text == "oneOf" })
        else { return type }
        report(
            .oneOfDefinition,
            "'@oneOf' cannot be added by an extension",
            at: directive.name.span,
            suggestion: "write it at the definition of '\(type.name.text)'"
        )
        var type = type
        noteUses(type.directives.filter { $0.name.text == "oneOf" }, at: .inputObject)
        type.directives.removeAll { $0.name.text == "oneOf" }
        return type
    }
}
