import BatonDiagnostics
import BatonIR
import BatonSchema

extension DocumentCheck {
    static let identity = DocumentCheck(
        .refusal, "CheckIdentity", [.missingIdentity], .written { CheckIdentity.check($0.program, $0.keys) })
}

/// Warns of selection sets whose objects have no identity because the set leaves out an identifier of another type than
/// `ID`.
///
/// `GenerateIDs` adds an identifier of type `ID`, as Relay does. It does not add one of type `String`. Without this
/// field, objects are stored by their place, and two places do not share one object.
///
/// Types with key fields are left out, because the compiler adds the fields of the key. A set may also select the
/// identifier through a fragment, under any type condition, but not under `@skip` or `@include`.
///
/// The alias of another field may be the name of a key field. A response cannot have the key then, and this check warns
/// of it. `DocumentRules` warns of such an alias for the identifier itself.
struct CheckIdentity {
    private let program: Program
    private let keys: KeyFields
    private var schema: Schema { program.schema }
    private let identifier: String
    /// The fragments that select the identifier.
    private var identifying: Set<String> = []
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program, _ keys: KeyFields) -> [Diagnostic] {
        var check = CheckIdentity(program: program, keys: keys)
        if keys.isEmpty, !program.schema.types.contains(where: { check.hasPlainIdentifier($0) }) { return [] }
        check.findIdentifyingFragments()
        for operation in program.operations { check.visit(operation.selections, on: operation.type) }
        for fragment in program.fragments { check.visit(fragment.selections, on: fragment.type) }
        return check.diagnostics
    }

    private init(program: Program, keys: KeyFields) {
        self.program = program
        self.keys = keys
        identifier = program.schema.names.nodeInterfaceIDField
    }

    /// Whether the type has an identifier that the compiler does not add.
    private func hasPlainIdentifier(_ type: SchemaType) -> Bool {
        guard let field = type.field(named: identifier), !field.isClientOnly, !field.type.isList else { return false }
        return schema.namedType(of: field.type).name == "String" && keys.key(of: type) == nil
            && !field.arguments.contains(where: \.isRequired)
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection], on type: SchemaType) {
        for selection in selections {
            switch selection {
            case .field(let field):
                if hidesKey(field, on: type) { report(field, hidesKeyOf: type) }
                visit(field)
                visit(field.selections, on: schema.namedType(of: field.definition.type))
            case .inlineFragment(let inline): visit(inline.selections, on: inline.type ?? type)
            case .spread: break
            }
        }
    }

    private mutating func visit(_ field: TypedField) {
        let type = schema.namedType(of: field.definition.type)
        guard type.isComposite, !field.definition.isClientOnly, !selectsIdentifier(field.selections) else { return }
        if hasPlainIdentifier(type) { return report(type, at: field) }
        if type.field(named: identifier) != nil || !type.isAbstract { return }
        // The members of a union have fields of their own, which only type conditions select.
        for case .inlineFragment(let inline) in field.selections {
            guard let own = inline.type, hasPlainIdentifier(own), !selectsIdentifier(inline.selections) else {
                continue
            }
            return report(own, at: field)
        }
    }

    private mutating func report(_ type: SchemaType, at field: TypedField) {
        diagnostics.append(
            Diagnostic(
                .missingIdentity, severity: .warning,
                "'\(field.responseKey)' leaves out '\(identifier)' of '\(type.name)', so its objects have no identity",
                at: field.span,
                suggestion: "select '\(identifier)', which is a 'String' and therefore not added"))
    }

    /// Whether the alias of a field is the name of another field, which is in the key of an object.
    private func hidesKey(_ field: TypedField, on type: SchemaType) -> Bool {
        let alias = field.responseKey
        if keys.isEmpty || alias == field.definition.name || alias == identifier { return false }
        return schema.possibleTypes(of: type).contains { keys.key(of: $0)?.fields.contains(alias) == true }
    }

    private mutating func report(_ field: TypedField, hidesKeyOf type: SchemaType) {
        diagnostics.append(
            Diagnostic(
                .missingIdentity, severity: .warning,
                "the alias '\(field.responseKey)' hides the key field '\(field.responseKey)' of '\(type.name)', so "
                    + "its objects have no identity",
                at: field.span, suggestion: "choose another alias"))
    }

    // MARK: - What selects the identifier

    private mutating func findIdentifyingFragments() {
        var users: [String: [Int]] = [:]
        for (index, fragment) in program.fragments.enumerated() {
            for name in Set(TypedSelection.spreads(in: fragment.selections).map(\.fragment)) {
                users[name, default: []].append(index)
            }
        }
        var pending = Array(program.fragments.indices)
        while let index = pending.popLast() {
            let fragment = program.fragments[index]
            if identifying.contains(fragment.name) || !selectsIdentifier(fragment.selections) { continue }
            identifying.insert(fragment.name)
            pending += users[fragment.name] ?? []
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private func selectsIdentifier(_ selections: [TypedSelection]) -> Bool {
        selections.contains { selection in
            switch selection {
            case .field: selection.isDirect(identifier)
            case .inlineFragment(let inline):
                !inline.directives.haveConditions && selectsIdentifier(inline.selections)
            case .spread(let spread):
                !spread.directives.haveConditions && identifying.contains(spread.fragment)
            }
        }
    }
}
