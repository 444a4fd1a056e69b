import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Resolves the names of all drafts and makes the schema.
    mutating func makeSchema() -> Schema {
        var finished: [SchemaType] = []
        finished.reserveCapacity(types.count)
        for (index, draft) in types.enumerated() { finished.append(makeType(draft, id: TypeID(index))) }
        var finishedDirectives: [String: SchemaDirective] = [:]
        for name in directiveOrder {
            if let draft = directives[name] { finishedDirectives[name] = makeDirective(draft) }
        }
        for definition in [schemaDefinition].compactMap(\.self) + schemaExtensions { checkUses(definition.directives) }
        let schema = Schema(
            types: finished,
            directives: finishedDirectives,
            description: schemaDefinition?.description?.text,
            rootTypes: rootTypes()
        )
        for type in finished where !type.isPredeclared { checkInterfaces(of: type, in: schema) }
        checkInputCycles(in: finished)
        return schema
    }

    private mutating func makeType(_ draft: TypeDraft, id: TypeID) -> SchemaType {
        checkUses(draft.directives)
        let type = SchemaType(
            id: id,
            name: draft.name.text,
            kind: draft.kind,
            description: draft.description,
            fields: fields(of: draft),
            inputFields: inputValues(draft.inputFields, .duplicateField, "field", of: draft.name.text),
            enumValues: enumValues(of: draft),
            interfaces: namedTypes(draft.interfaces, .interface, .duplicateInterface, .invalidInterface, of: draft),
            members: namedTypes(draft.members, .object, .duplicateMember, .invalidMember, of: draft),
            directives: draft.directives,
            isOneOf: draft.directives.contains { $0.name.text == "oneOf" },
            specifiedByURL: draft.directives.first { $0.name.text == "specifiedBy" }?.stringArgument("url"),
            isClientOnly: draft.origin == .client,
            isPredeclared: draft.origin.isPredeclared,
            span: draft.name.span
        )
        checkIsNotEmpty(draft)
        return type
    }

    private mutating func checkIsNotEmpty(_ draft: TypeDraft) {
        let missing: String
        switch draft.kind {
        case .object, .interface: missing = draft.fields.isEmpty ? "fields" : ""
        case .inputObject: missing = draft.inputFields.isEmpty ? "fields" : ""
        case .enum: missing = draft.values.isEmpty ? "values" : ""
        case .union: missing = draft.members.isEmpty ? "members" : ""
        case .scalar: missing = ""
        }
        guard !missing.isEmpty, !draft.isBroken else { return }
        diagnostics.append(Diagnostic(.emptyType, "type '\(draft.name.text)' has no \(missing)", at: draft.name.span))
    }

    // MARK: - Members

    private mutating func fields(of draft: TypeDraft) -> [SchemaField] {
        var fields: [SchemaField] = []
        fields.reserveCapacity(draft.fields.count)
        var seen: [String: FieldDefinition] = [:]
        seen.reserveCapacity(draft.fields.count)
        for member in draft.fields {
            let definition = member.definition
            let name = definition.name.text
            if let first = seen.updateValue(definition, forKey: name) {
                seen[name] = first
                reportDuplicateField(definition, first: first, of: draft)
                continue
            }
            checkUses(definition.directives)
            let arguments = inputValues(definition.arguments, .duplicateArgument, "argument", of: name)
            guard let type = resolve(definition.type, isInput: false, of: name) else { continue }
            fields.append(
                SchemaField(
                    name: name,
                    type: type,
                    arguments: arguments,
                    description: definition.description?.text,
                    deprecation: definition.directives.deprecation,
                    directives: definition.directives,
                    isClientOnly: member.isClientOnly,
                    span: definition.name.span
                )
            )
        }
        return fields
    }

    /// Real schemas define some fields twice; if both definitions say the same, that does no harm.
    private mutating func reportDuplicateField(
        _ definition: FieldDefinition,
        first: FieldDefinition,
        of draft: TypeDraft
    ) {
        let isEqual = definition.type == first.type && definition.arguments == first.arguments
        diagnostics.append(
            Diagnostic(
                .duplicateField,
                severity: isEqual ? .warning : .error,
                "field '\(definition.name.text)' of '\(draft.name.text)' is defined twice",
                at: definition.name.span,
                notes: [.init("first defined here", at: first.name.span)]
            )
        )
    }

    private mutating func inputValues(
        _ definitions: [InputValueDefinition],
        _ duplicate: DiagnosticID,
        _ role: String,
        of owner: String
    ) -> [SchemaInputValue] {
        if definitions.isEmpty { return [] }
        var values: [SchemaInputValue] = []
        var seen: [String: InputValueDefinition] = [:]
        for definition in definitions {
            let name = definition.name.text
            if let first = seen[name] {
                let isEqual = definition.type == first.type && definition.defaultValue == first.defaultValue
                diagnostics.append(
                    Diagnostic(
                        duplicate,
                        severity: isEqual && duplicate == .duplicateField ? .warning : .error,
                        "\(role) '\(name)' of '\(owner)' is defined twice",
                        at: definition.name.span,
                        notes: [.init("first defined here", at: first.name.span)]
                    )
                )
                continue
            }
            seen[name] = definition
            checkUses(definition.directives)
            guard let type = resolve(definition.type, isInput: true, of: name) else { continue }
            values.append(
                SchemaInputValue(
                    name: name,
                    type: type,
                    defaultValue: definition.defaultValue,
                    description: definition.description?.text,
                    deprecation: definition.directives.deprecation,
                    directives: definition.directives,
                    span: definition.name.span
                )
            )
        }
        return values
    }

    private mutating func enumValues(of draft: TypeDraft) -> [SchemaEnumValue] {
        var values: [SchemaEnumValue] = []
        var seen: [String: Span] = [:]
        for definition in draft.values {
            let name = definition.name.text
            if let first = seen[name] {
                diagnostics.append(
                    Diagnostic(
                        .duplicateEnumValue,
                        "value '\(name)' of '\(draft.name.text)' is defined twice",
                        at: definition.name.span,
                        notes: [.init("first defined here", at: first)]
                    )
                )
                continue
            }
            seen[name] = definition.name.span
            checkUses(definition.directives)
            values.append(
                SchemaEnumValue(
                    name: name,
                    description: definition.description?.text,
                    deprecation: definition.directives.deprecation,
                    directives: definition.directives,
                    span: definition.name.span
                )
            )
        }
        return values
    }

    /// Resolves the interfaces of a type or the members of a union.
    private mutating func namedTypes(
        _ names: [Name],
        _ kind: SchemaType.Kind,
        _ duplicate: DiagnosticID,
        _ invalid: DiagnosticID,
        of draft: TypeDraft
    ) -> [TypeID] {
        let role = kind == .interface ? "interface" : "member"
        var ids: [TypeID] = []
        var seen: [String: Span] = [:]
        for name in names {
            if let first = seen[name.text] {
                diagnostics.append(
                    Diagnostic(
                        duplicate,
                        "\(role) '\(name.text)' of '\(draft.name.text)' is named twice",
                        at: name.span,
                        notes: [.init("first named here", at: first)]
                    )
                )
                continue
            }
            seen[name.text] = name.span
            guard let index = typeIndex[name.text] else {
                reportUnknownType(name)
                continue
            }
            guard types[index].kind == kind else {
                let expected = kind == .interface ? "an interface" : "an object type"
                diagnostics.append(
                    Diagnostic(
                        invalid,
                        "'\(name.text)' is not \(expected)",
                        at: name.span,
                        notes: definedHere(types[index])
                    )
                )
                continue
            }
            ids.append(TypeID(index))
        }
        return ids
    }

    private mutating func makeDirective(_ draft: DirectiveDraft) -> SchemaDirective {
        let origin: SchemaDirective.Origin
        switch draft.origin {
        case .specification: origin = .specification
        case .relay: origin = .relay
        case .schema: origin = .schema
        case .client: origin = .client
        }
        let definition = draft.definition
        return SchemaDirective(
            name: definition.name.text,
            arguments: inputValues(
                definition.arguments, .duplicateArgument, "argument", of: "@" + definition.name.text),
            locations: Set(definition.locations.map(\.location)),
            isRepeatable: definition.isRepeatable,
            description: definition.description?.text,
            origin: origin,
            span: definition.name.span
        )
    }
}

extension [Directive] {
    /// The reason of `@deprecated`, if it is there.
    fileprivate var deprecation: String? {
        guard let directive = first(where: { $0.name.text == "deprecated" }) else { return nil }
        return directive.stringArgument("reason") ?? "No longer supported"
    }
}

extension Directive {
    fileprivate func stringArgument(_ name: String) -> String? {
        if case .string(let value) = argument(name) { value.text } else { nil }
    }
}
