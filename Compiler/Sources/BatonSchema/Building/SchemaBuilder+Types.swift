import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Resolves the names of all drafts, makes the schema, and checks the rules that need the whole schema.
    mutating func makeSchema(server: Schema?, clientDefinitions: [Definition]) -> Schema {
        var finishedDirectives: [String: SchemaDirective] = [:]
        var finishedDefinitionDirectives: [String: SchemaDirective] = [:]
        for name in directiveOrder {
            if let draft = directives[name] { finishedDirectives[name] = makeDirective(draft) }
            if let draft = definitionDirectives[name] { finishedDefinitionDirectives[name] = makeDirective(draft) }
        }
        var finished: [SchemaType] = []
        finished.reserveCapacity(types.count)
        // The loop may add types: scalars without a declaration.
        while finished.count < types.count {
            finished.append(makeType(types[finished.count], id: TypeID(finished.count)))
        }
        let schemaDirectives = ([schemaDefinition].compactMap(\.self) + schemaExtensions).flatMap(\.directives)
        noteUses(schemaDirectives, at: .schema)
        let schema = Schema(
            types: finished,
            directives: finishedDirectives,
            definitionDirectives: finishedDefinitionDirectives,
            description: schemaDefinition?.description?.text,
            rootTypes: rootTypes(),
            server: server,
            clientDefinitions: clientDefinitions,
            names: names
        )
        checkInterfaces(in: schema)
        checkInputObjects(in: schema)
        checkDefaultValues(in: schema)
        checkDirectiveUses(in: schema)
        checkSemanticNonNull(in: schema)
        checkDirectivesDoNotReferToThemselves()
        return schema
    }

    private mutating func makeType(_ draft: TypeDraft, id: TypeID) -> SchemaType {
        noteUses(draft.directives, at: draft.location, isBuiltIn: draft.origin == .specification)
        let named =
            draft.kind == .union
            ? resolve(draft.members, .object, .duplicateMember, .invalidMember, of: draft)
            : resolve(draft.interfaces, .interface, .duplicateInterface, .invalidInterface, of: draft)
        namedTypes.append(named)
        checkIsNotEmpty(draft)
        return SchemaType(
            id: id,
            name: draft.name.text,
            kind: draft.kind,
            description: draft.description,
            fields: fields(of: draft),
            inputFields: inputFields(of: draft),
            enumValues: enumValues(of: draft),
            interfaces: draft.kind == .union ? [] : named.map(\.id),
            members: draft.kind == .union ? named.map(\.id) : [],
            directives: draft.directives,
            isOneOf: draft.isOneOf,
            specifiedByURL: draft.directives.first { $0.name.text == "specifiedBy" }?.stringArgument("url"),
            isClientOnly: draft.origin == .client,
            isPredeclared: draft.origin.isPredeclared,
            span: draft.name.span
        )
    }

    /// Checks that a type has members, by its definition or an extension.
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
        report(.emptyType, "type '\(draft.name.text)' has no \(missing)", at: draft.name.span)
    }

    // MARK: - Members

    private mutating func fields(of draft: TypeDraft) -> [SchemaField] {
        var fields: [SchemaField] = []
        fields.reserveCapacity(draft.fields.count)
        var seen: [String: FieldDefinition] = [:]
        seen.reserveCapacity(draft.fields.count)
        for field in draft.fields {
            let definition = field.definition
            let name = definition.name.text
            if let first = seen[name] {
                reportDuplicateField(definition.name, first: first.name, of: draft, isEqual: definition.says(first))
                noteUses(definition.directives, at: .fieldDefinition)
                for argument in definition.arguments { noteUses(argument.directives, at: .argumentDefinition) }
                continue
            }
            seen[name] = definition
            if !draft.origin.isPredeclared { checkIsNotReserved(definition.name, "field") }
            noteUses(definition.directives, at: .fieldDefinition)
            let arguments = arguments(definition.arguments, of: name, in: "\(draft.name.text).\(name)")
            guard let type = resolve(definition.type, isInput: false, of: name) else {
                brokenMembers.insert(Member(owner: draft.name.text, name: name))
                continue
            }
            fields.append(
                SchemaField(
                    name: name,
                    type: type,
                    arguments: arguments,
                    description: definition.description?.text,
                    deprecation: definition.directives.deprecation,
                    directives: definition.directives,
                    isClientOnly: field.isClientOnly,
                    span: definition.name.span,
                    typeSpan: definition.type.span
                )
            )
        }
        return fields
    }

    /// Reports a field that is defined twice. Two equal definitions are a warning, because real schemas have such
    /// fields, and clients take no harm.
    private mutating func reportDuplicateField(_ name: Name, first: Name, of draft: TypeDraft, isEqual: Bool) {
        report(
            isEqual ? .repeatedField : .duplicateField,
            severity: isEqual ? .warning : .error,
            "field '\(name.text)' of '\(draft.name.text)' is defined twice" + (isEqual ? "" : ", differently"),
            at: name.span,
            notes: [.init("first defined here", at: first.span)]
        )
    }

    private mutating func inputFields(of draft: TypeDraft) -> [SchemaInputValue] {
        var values: [SchemaInputValue] = []
        var seen: [String: InputValueDefinition] = [:]
        for definition in draft.inputFields {
            if let first = seen[definition.name.text] {
                reportDuplicateField(definition.name, first: first.name, of: draft, isEqual: definition.says(first))
                noteUses(definition.directives, at: .inputFieldDefinition)
                continue
            }
            seen[definition.name.text] = definition
            if draft.isOneOf { checkOneOfField(definition, of: draft) }
            values += inputValue(definition, "field", in: draft.name.text, at: .inputFieldDefinition)
        }
        return values
    }

    private mutating func arguments(
        _ definitions: [InputValueDefinition],
        of role: String,
        in owner: String
    ) -> [SchemaInputValue] {
        if definitions.isEmpty { return [] }
        var values: [SchemaInputValue] = []
        var seen: [String: Span] = [:]
        for definition in definitions {
            let name = definition.name.text
            if let first = seen[name] {
                report(
                    .duplicateArgument,
                    "argument '\(name)' of '\(role)' is defined twice",
                    at: definition.name.span,
                    notes: [.init("first defined here", at: first)]
                )
                continue
            }
            seen[name] = definition.name.span
            values += inputValue(definition, "argument", in: owner, at: .argumentDefinition)
        }
        return values
    }

    /// The input value; nil if its type is wrong.
    private mutating func inputValue(
        _ definition: InputValueDefinition,
        _ role: String,
        in owner: String,
        at location: DirectiveLocation
    ) -> [SchemaInputValue] {
        let name = definition.name.text
        checkIsNotReserved(definition.name, role)
        checkDeprecation(of: definition, role)
        noteUses(definition.directives, at: location)
        guard let type = resolve(definition.type, isInput: true, of: name) else {
            brokenMembers.insert(Member(owner: owner, name: name))
            return []
        }
        let value = SchemaInputValue(
            name: name,
            type: type,
            defaultValue: definition.defaultValue,
            description: definition.description?.text,
            deprecation: definition.directives.deprecation,
            directives: definition.directives,
            span: definition.name.span,
            typeSpan: definition.type.span
        )
        if value.defaultValue != nil { defaultValues.append(value) }
        return [value]
    }

    private mutating func enumValues(of draft: TypeDraft) -> [SchemaEnumValue] {
        var values: [SchemaEnumValue] = []
        var seen: [String: Span] = [:]
        for definition in draft.values {
            let name = definition.name.text
            if let first = seen[name] {
                report(
                    .duplicateEnumValue,
                    "value '\(name)' of '\(draft.name.text)' is defined twice",
                    at: definition.name.span,
                    notes: [.init("first defined here", at: first)]
                )
                continue
            }
            seen[name] = definition.name.span
            checkIsNotReserved(definition.name, "enum value")
            noteUses(definition.directives, at: .enumValue)
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

    private mutating func makeDirective(_ draft: DirectiveDraft) -> SchemaDirective {
        let origin: SchemaDirective.Origin
        switch draft.origin {
        case .specification: origin = .specification
        case .relay: origin = .relay
        case .schema: origin = .schema
        case .client: origin = .client
        }
        let definition = draft.definition
        let name = "@" + definition.name.text
        noteUses(definition.directives, at: .directiveDefinition)
        return SchemaDirective(
            name: definition.name.text,
            arguments: arguments(definition.arguments, of: name, in: name),
            directives: definition.directives,
            // A location that could not be parsed may be any location.
            locations: Set(definition.isBroken ? DirectiveLocation.allCases : definition.locations.map(\.location)),
            isRepeatable: definition.isRepeatable,
            description: definition.description?.text,
            origin: origin,
            span: definition.name.span
        )
    }
}

extension TypeDraft {
    var isOneOf: Bool { kind == .inputObject && directives.contains { $0.name.text == "oneOf" } }
}

extension FieldDefinition {
    /// Whether two definitions have the same type and arguments; directives and descriptions may differ.
    fileprivate func says(_ other: FieldDefinition) -> Bool {
        type == other.type && arguments.count == other.arguments.count
            && zip(arguments, other.arguments).allSatisfy { $0.name == $1.name && $0.says($1) }
    }
}

extension InputValueDefinition {
    fileprivate func says(_ other: InputValueDefinition) -> Bool {
        type == other.type && defaultValue == other.defaultValue
    }
}

extension [Directive] {
    /// The reason of `@deprecated`; nil without the directive.
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
