import BatonDiagnostics
import BatonSchema

/// The properties of a struct for variables or an input object, with its initializer and encoding.
struct InputMembers {
    /// A variable, or a field of an input object.
    struct Member {
        let graphQLName: String
        let reference: TypeReference
        /// Whether a value must be given: false if the member is nullable or has a default.
        let isRequired: Bool
        var documentation: String?
        var deprecation: String?
        /// Whether the struct would contain itself through this member.
        var isRecursive = false
        var span: Span
        /// The name of the property, and the label of parameters for it.
        var name = ""
        /// The name of the stored property, if the property is computed.
        var storage: String?
    }

    private(set) var members: [Member]
    private(set) var diagnostics: [Diagnostic] = []
    private let leaves: LeafTypes
    private let options: GenerationOptions

    /// Chooses the names of the members; `reserved` are names that the parameters must not have.
    init(_ members: [Member], reserved: Set<String>, leaves: LeafTypes, options: GenerationOptions) {
        self.members = members
        self.leaves = leaves
        self.options = options
        let referenced = Set(members.flatMap { leaves.referencedNames(leaves.leaf($0.reference)) })
        var scope = NameScope(reserved: ReservedNames.inputProperties, reserved, referenced)
        for index in members.indices {
            let wanted = members[index].graphQLName
            self.members[index].name = scope.claim(wanted)
            if self.members[index].name != wanted {
                let message =
                    "'\(wanted)' is '\(self.members[index].name)' in Swift, since '\(wanted)' has another meaning there"
                diagnostics.append(
                    Diagnostic(.renamedMember, severity: .warning, message, at: members[index].span)
                )
            }
        }
        for index in members.indices where members[index].isRecursive || members[index].deprecation != nil {
            self.members[index].storage = scope.claim("_" + self.members[index].name)
        }
    }

    /// The type of the member's value, without null.
    func valueType(_ member: Member) -> SwiftType {
        LeafTypes.unwrapped(member.reference, innermost: leaves.leaf(member.reference).type)
    }

    /// The type of the property.
    func propertyType(_ member: Member) -> SwiftType {
        member.isRequired ? valueType(member) : .generic("GraphQLNullable", [valueType(member)])
    }

    /// The type of the argument.
    private func argumentType(_ member: Member) -> SwiftType {
        member.isRequired ? valueType(member) : .generic("GraphQLInput", [valueType(member)])
    }

    /// The scalars of the members, whose modules are imported.
    var leafTypes: [LeafTypes.Leaf] { members.map { leaves.leaf($0.reference) } }

    /// The stored and computed properties.
    var properties: [SwiftDeclaration] { members.flatMap(properties) }

    /// `init` and `encode`. Swift makes the same initializer where nobody but the module uses it and no argument may be
    /// left out.
    var functions: [SwiftDeclaration] {
        let isImplied = options.access == .internal && members.allSatisfy { $0.isRequired && $0.storage == nil }
        return isImplied ? [encode] : [initializer, encode]
    }

    private func properties(_ member: Member) -> [SwiftDeclaration] {
        let type = propertyType(member)
        guard let storage = member.storage else {
            let head = SwiftHead(documentation: options.comment(member.documentation), modifiers: options.modifiers)
            return [.variable(SwiftVariable(head, isConstant: false, member.name, type))]
        }
        // The value is stored in a list of one item. The list is elsewhere in memory, so that the struct can contain
        // itself.
        let stored = SwiftVariable(
            SwiftHead(modifiers: ["private"]),
            isConstant: false,
            storage,
            member.isRecursive ? .array(type) : type
        )
        let value = SwiftExpression.name(storage)
        let first = SwiftExpression.coalesce(.member(value, "first"), .member(nil, "absent"))
        let computed = SwiftVariable(
            SwiftHead(
                documentation: options.comment(member.documentation),
                deprecation: member.deprecation,
                modifiers: options.modifiers
            ),
            isConstant: false,
            member.name,
            type,
            getter: [.expression(member.isRecursive ? first : value)],
            setter: [.assignment(value, member.isRecursive ? .array([.name("newValue")]) : .name("newValue"))]
        )
        return [.variable(stored), .variable(computed)]
    }

    private var initializer: SwiftDeclaration {
        let parameters = members.map { member in
            SwiftParameter(
                member.name,
                argumentType(member),
                defaultValue: member.isRequired ? nil : .nil
            )
        }
        let body = members.map { member in
            var value = SwiftExpression.name(member.name)
            if !member.isRequired { value = .call(.name(".init"), [SwiftArgument("input", value)]) }
            return SwiftStatement.assignment(
                .member(.selfReference, member.storage ?? member.name),
                member.isRecursive ? .array([value]) : value
            )
        }
        return .function(SwiftFunction(SwiftHead(modifiers: options.modifiers), .initializer, parameters, body: body))
    }

    private var encode: SwiftDeclaration {
        let body = members.map { member -> SwiftStatement in
            var value = SwiftExpression.name(member.name)
            if let storage = member.storage {
                value = .name(storage)
                if member.isRecursive { value = .coalesce(.member(value, "first"), .member(nil, "absent")) }
            } else if member.name == "encoder" {
                // The parameter has the name of the property and hides it.
                value = .member(.selfReference, member.name)
            }
            let call = SwiftExpression.call(
                .member(.name("encoder"), "encode"),
                [SwiftArgument(nil, .string(member.graphQLName)), SwiftArgument(nil, sent(value, member))]
            )
            return .expression(call)
        }
        return .function(
            SwiftFunction(
                SwiftHead(modifiers: options.modifiers),
                .function("encode"),
                [
                    SwiftParameter(
                        label: .named("into"),
                        "encoder",
                        .named("GeneratedCode.VariableEncoder"),
                        isInout: true
                    )
                ],
                body: body
            )
        )
    }

    /// The value that the encoder takes: mapped scalars are converted to JSON first.
    private func sent(_ value: SwiftExpression, _ member: Member) -> SwiftExpression {
        guard case .mapped(_, let mapping) = leaves.leaf(member.reference) else { return value }
        if member.isRequired { return converted(value, member.reference, mapping) }
        return mapped(value, converted(.closureArgument, member.reference, mapping))
    }

    /// Converts a value that is not null; for lists it converts each item.
    private func converted(
        _ value: SwiftExpression,
        _ reference: TypeReference,
        _ mapping: ScalarMapping
    ) -> SwiftExpression {
        guard let item = reference.item else {
            return .call(.member(.type(.named(mapping.conversionType)), "encode"), [SwiftArgument(nil, value)])
        }
        let inner = converted(.closureArgument, item, mapping)
        return mapped(value, item.isNonNull ? inner : mapped(.closureArgument, inner))
    }

    private func mapped(_ value: SwiftExpression, _ body: SwiftExpression) -> SwiftExpression {
        .call(.member(value, "map"), [SwiftArgument(nil, .closure(body), isTrailing: true)])
    }
}
