import BatonDiagnostics
import BatonSchema

/// The properties of a struct for variables or an input object, with its initializer.
///
/// The struct stores one reference. A property asks it for the value at its position.
struct InputMembers {
    /// A variable, or a field of an input object.
    struct Member {
        let graphQLName: String
        let reference: TypeReference
        /// Whether a value must be given: false if the member is nullable or has a default.
        let isRequired: Bool
        var documentation: String?
        var deprecation: String?
        var span: Span
        /// The name of the property, and the label of parameters for it.
        var name = ""
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

    /// The values of all members.
    var storage: SwiftDeclaration {
        let head = SwiftHead(modifiers: options.modifiers + ["private(set)"])
        return .variable(SwiftVariable(head, isConstant: false, "__fields", .named("GeneratedCode.InputFields")))
    }

    var properties: [SwiftDeclaration] { members.enumerated().map { property($0.element, at: $0.offset) } }

    private func property(_ member: Member, at position: Int) -> SwiftDeclaration {
        let kind = Kind(member.reference, leaves)
        let index = [SwiftArgument(kind.label, .integer(position))] + kind.subscriptConversion
        let value = SwiftExpression.subscript(.name("__fields"), index)
        let head = SwiftHead(
            documentation: options.comment(member.documentation),
            deprecation: member.deprecation,
            modifiers: options.modifiers
        )
        return .variable(
            SwiftVariable(
                head,
                isConstant: false,
                member.name,
                propertyType(member),
                getter: [.expression(value)],
                setter: [.assignment(value, .name("newValue"))]
            )
        )
    }

    /// The initializer with an argument for each member.
    var initializer: SwiftDeclaration {
        let parameters = members.map { member in
            SwiftParameter(
                member.name,
                argumentType(member),
                defaultValue: member.isRequired ? nil : .nil
            )
        }
        let names = members.map(\.graphQLName).joined(separator: " ")
        let fields = SwiftExpression.call(
            .name("GeneratedCode.InputFields"),
            [SwiftArgument(nil, .string(names)), SwiftArgument("count", .integer(members.count))]
        )
        let values = members.map { member in
            let kind = Kind(member.reference, leaves)
            return SwiftStatement.expression(
                call("add" + kind.name, [SwiftArgument(nil, .name(member.name))] + kind.conversion))
        }
        let body = [SwiftStatement.assignment(.name("__fields"), fields)] + values
        return .function(SwiftFunction(SwiftHead(modifiers: options.modifiers), .initializer, parameters, body: body))
    }

    /// The initializer with which the runtime makes an input object that is a field of another.
    var wrapper: SwiftDeclaration {
        .function(
            SwiftFunction(
                SwiftHead(modifiers: options.modifiers),
                .initializer,
                [SwiftParameter("__fields", .named("GeneratedCode.InputFields"))],
                body: [.assignment(.member(.selfReference, "__fields"), .name("__fields"))]
            )
        )
    }

    private func call(_ method: String, _ arguments: [SwiftArgument]) -> SwiftExpression {
        .call(.member(.name("__fields"), method), arguments)
    }
}

/// The method and the subscript of `InputFields` for a member.
private struct Kind {
    /// The end of the name of the method that adds a value.
    var name: String
    /// The label of the subscript for the value.
    var label: String
    /// The last argument of both: how a value is converted to what is sent.
    var conversion: [SwiftArgument] = []

    /// A subscript has no trailing closure.
    var subscriptConversion: [SwiftArgument] {
        conversion.map { $0.isTrailing ? SwiftArgument("sent", $0.value) : $0 }
    }

    init(_ reference: TypeReference, _ leaves: LeafTypes) {
        let leaf = leaves.leaf(reference)
        if reference.item != nil {
            (name, label) = ("List", "list")
            if case .mapped(_, let mapping) = leaf {
                let converted = Self.converted(.closureArgument, reference, mapping)
                conversion = [SwiftArgument(nil, .closure(converted), isTrailing: true)]
            }
            return
        }
        switch leaf {
        case .plain(_, let method): (name, label) = (SwiftName.uppercasingFirst(method), method)
        case .enumeration: (name, label) = ("Enumeration", "enum")
        case .input: (name, label) = ("Object", "object")
        case .mapped(_, let mapping):
            (name, label) = ("Scalar", "scalar")
            conversion = [SwiftArgument(nil, .metatype(.named(mapping.conversionType)))]
        }
    }

    /// Converts a value that is not null; for lists it converts each item.
    private static func converted(
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

    private static func mapped(_ value: SwiftExpression, _ body: SwiftExpression) -> SwiftExpression {
        .call(.member(value, "map"), [SwiftArgument(nil, .closure(body), isTrailing: true)])
    }
}
