import BatonDiagnostics
import BatonSchema

/// The properties of a struct for variables or an input object, with its initializer.
///
/// The struct stores one reference. A property asks the referenced object for the value at the property's position.
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
        /// The name of the struct for the member's objects, in a response that an application makes.
        var structure: String?
        /// The name of the property, and the label of parameters for it. Before names are chosen, this is the wanted
        /// name, or empty for the name in GraphQL.
        var name = ""
    }

    private(set) var members: [Member]
    private(set) var diagnostics: [Diagnostic] = []
    private let leaves: LeafTypes
    private let options: GenerationOptions

    /// Chooses the names of the members. The parameters must not have a name in `reserved`.
    init(_ members: [Member], reserved: Set<String>, leaves: LeafTypes, options: GenerationOptions) {
        self.members = members
        self.leaves = leaves
        self.options = options
        let referenced = Set(members.flatMap { leaves.referencedNames(leaves.leaf($0.reference)) })
        var scope = NameScope(reserved: ReservedNames.inputProperties, reserved, referenced)
        for index in members.indices {
            let wanted = members[index].name.isEmpty ? members[index].graphQLName : members[index].name
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

    /// Makes the properties of members whose names are chosen.
    init(named members: [Member], leaves: LeafTypes, options: GenerationOptions) {
        self.members = members
        self.leaves = leaves
        self.options = options
    }

    /// The type of the member's value, without null.
    func valueType(_ member: Member) -> SwiftType {
        let innermost = member.structure.map(SwiftType.named) ?? leaves.leaf(member.reference).type
        return LeafTypes.unwrapped(member.reference, innermost: innermost)
    }

    /// The type of the property and of the argument.
    func inputType(_ member: Member) -> SwiftType {
        member.isRequired ? valueType(member) : partialType(member)
    }

    /// The type of an argument that may be left out.
    private func partialType(_ member: Member) -> SwiftType { .generic("GraphQLInput", [valueType(member)]) }

    /// The scalars of the members, whose modules are imported.
    var leafTypes: [LeafTypes.Leaf] { members.map { leaves.leaf($0.reference) } }

    /// The property that stores the values of all members.
    var storage: SwiftDeclaration {
        let head = SwiftHead(modifiers: options.modifiers + ["private(set)"])
        return .variable(SwiftVariable(head, isConstant: false, "__fields", .named("GeneratedCode.InputFields")))
    }

    var properties: [SwiftDeclaration] { members.enumerated().map { property($0.element, at: $0.offset) } }

    private func property(_ member: Member, at position: Int) -> SwiftDeclaration {
        let kind = InputKind(member, leaves)
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
                inputType(member),
                getter: [.expression(value)],
                setter: [.assignment(value, .name("newValue"))]
            )
        )
    }

    /// The initializer with an argument for each member, in its usual form.
    var initializer: SwiftDeclaration {
        initializer()
    }

    /// The initializer with an argument for each member.
    ///
    /// - Parameters:
    ///   - tags: Names of additional fields with a text that no code reads.
    ///   - isCalledByGeneratedCode: True if generated code calls the initializer in several places. Optimization must
    ///     not copy its body to each place (`codesize.text-vs-naive`).
    func initializer(tags: [String] = [], isCalledByGeneratedCode: Bool = false) -> SwiftDeclaration {
        let parameters = members.map { member in
            SwiftParameter(
                member.name,
                inputType(member),
                defaultValue: member.isRequired ? nil : .nil
            )
        }
        let added = tags.map { _ in SwiftStatement.expression(call("addString", [SwiftArgument(nil, .string(""))])) }
        let body = [SwiftStatement.assignment(.name("__fields"), fields(tags))] + added + additions
        let head = SwiftHead(modifiers: (isCalledByGeneratedCode ? ["@inline(never)"] : []) + options.modifiers)
        return .function(SwiftFunction(head, .initializer, parameters, body: body))
    }

    /// An expression for fields without values.
    private func fields(_ tags: [String]) -> SwiftExpression {
        let names = tags + members.map(\.graphQLName)
        return .call(
            .name("GeneratedCode.InputFields"),
            [SwiftArgument(nil, .string(names.joined(separator: " "))), SwiftArgument("count", .integer(names.count))]
        )
    }

    /// The statements that add the value of each member.
    private var additions: [SwiftStatement] {
        members.map { member in
            let kind = InputKind(member, leaves)
            return .expression(call("add" + kind.name, [SwiftArgument(nil, .name(member.name))] + kind.conversion))
        }
    }

    /// One parameter for each member. Each of these arguments may be left out.
    var partialParameters: [SwiftParameter] {
        members.map { SwiftParameter($0.name, partialType($0), defaultValue: .nil) }
    }

    /// The statements that put the arguments into a local `__fields`.
    var partialBody: [SwiftStatement] { [.variable("__fields", fields([]))] + additions }

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
struct InputKind {
    /// The end of the name of the method that adds a value.
    var name: String
    /// The label of the subscript for the value.
    var label: String
    /// The last argument of the method and the subscript: the conversion of a value for the request.
    var conversion: [SwiftArgument] = []

    /// A subscript has no trailing closure.
    var subscriptConversion: [SwiftArgument] {
        conversion.map { $0.isTrailing ? SwiftArgument("sent", $0.value) : $0 }
    }

    init(_ member: InputMembers.Member, _ leaves: LeafTypes) {
        if member.structure == nil {
            self.init(member.reference, leaves)
        } else if member.reference.item == nil {
            self.init(name: "Selections", label: "selections")
        } else {
            self.init(name: "List", label: "list")
        }
    }

    private init(name: String, label: String) { (self.name, self.label) = (name, label) }

    init(_ reference: TypeReference, _ leaves: LeafTypes) {
        let leaf = leaves.leaf(reference)
        if reference.item != nil {
            (name, label) = ("List", "list")
            if case .mapped(_, let mapping) = leaf {
                let converted = InputMembers.converted(.closureArgument, reference, mapping)
                conversion = [SwiftArgument(nil, .closure(converted), isTrailing: true)]
            }
            return
        }
        switch leaf {
        case .plain(_, let method): (name, label) = (SwiftName.uppercasingFirst(method), method)
        case .enumeration: (name, label) = ("Enumeration", "enum")
        case .input: (name, label) = ("Object", "object")
        case .oneOf: (name, label) = ("OneOf", "oneOf")
        case .mapped(_, let mapping):
            (name, label) = ("Scalar", "scalar")
            conversion = [SwiftArgument(nil, .metatype(.named(mapping.conversionType)))]
        }
    }
}

extension InputMembers {
    /// Converts a value of a mapped scalar, or a list of such values, to the JSON of the request.
    static func sent(
        _ value: SwiftExpression, _ reference: TypeReference, _ mapping: ScalarMapping
    ) -> SwiftExpression {
        if reference.isNonNull { return converted(value, reference, mapping) }
        return mapped(value, converted(.closureArgument, reference, mapping))
    }

    /// Converts a value that is not null; for lists it converts each item.
    fileprivate static func converted(
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
