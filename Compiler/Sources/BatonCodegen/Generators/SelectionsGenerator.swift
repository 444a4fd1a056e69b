import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the `Data` struct of a reader plan, and the structs nested in it.
///
/// The initializer asks the reader for an item by the item's position in the plan.
struct SelectionsGenerator {
    private let names: TypeNames
    private let leaves: LeafTypes
    let options: GenerationOptions
    /// The top-level types that properties of the definition refer to; no nested type may have one of these names.
    private let referenced: Set<String>
    /// The top-level type of the definition.
    private let definition: String
    /// `Fragments` structs that are not nested, because an enclosing struct would hide the type of a fragment.
    private(set) var extensions: [SwiftDeclaration] = []
    private(set) var leafTypes: Set<LeafTypes.Leaf> = []
    private(set) var diagnostics: [Diagnostic] = []
    /// Reported diagnostics. A set occurs again inside its inline fragments and must not be reported twice.
    private var renamed: Set<Diagnostic> = []

    init(names: TypeNames, leaves: LeafTypes, options: GenerationOptions, plan: SelectionPlan, definition: String) {
        self.names = names
        self.definition = definition
        self.leaves = leaves
        self.options = options
        var used: Set<LeafTypes.Leaf> = []
        Self.collectLeaves(of: plan, leaves, into: &used)
        leafTypes = used
        referenced = Set(used.flatMap(leaves.referencedNames))
    }

    private static func collectLeaves(
        of plan: SelectionPlan,
        _ leaves: LeafTypes,
        into used: inout Set<LeafTypes.Leaf>
    ) {
        for item in plan.items {
            switch item {
            case .field(let field):
                if let inner = field.selections {
                    collectLeaves(of: inner, leaves, into: &used)
                } else {
                    used.insert(leaves.leaf(field.definition.type))
                }
            case .inline(let inline): collectLeaves(of: inline.selections, leaves, into: &used)
            case .spread: break
            }
        }
    }

    /// A property: how it is read, and its type.
    struct Property {
        let name: String
        /// The name of the stored property, if the property is computed.
        var storage: String?
        let type: SwiftType
        let value: SwiftExpression
        let isRequired: Bool
        var documentation: String?
        var deprecation: String?
    }

    /// A struct outside an inline fragment that is also used inside it, because both select the same.
    struct SharedStruct {
        let name: String
        let plan: SelectionPlan
    }

    /// Generates the struct of one set. `path` is the qualified name of its parent; `enclosing` has the names that are
    /// declared around it, one set for each level.
    ///
    /// `isItem` is true for objects in a list. The depth limit of `Flatten` bounds the recursion.
    mutating func structure(
        _ name: String,
        _ plan: SelectionPlan,
        path: String,
        enclosing: [Set<String>],
        isItem: Bool = false,
        shared: [String: SharedStruct] = [:]
    ) -> SwiftTypeDeclaration {
        let ownPath = path + "." + name
        let spreads = plan.items.compactMap { if case .spread(let spread) = $0 { spread } else { nil } }
        let reader = plan.fields.contains { $0.responseKey == "reader" } ? "recordReader" : "reader"

        var propertyScope = NameScope(reserved: ReservedNames.selectionProperties, referenced, [reader])
        let propertyNames = plan.items.map { item -> String in
            switch item {
            case .field(let field): claim(field.responseKey, &propertyScope, field.span, "field '\(field.responseKey)'")
            case .inline(let inline):
                claim(
                    "as" + SwiftName.uppercasingFirst(inline.type.name),
                    &propertyScope,
                    inline.span,
                    "inline fragment on '\(inline.type.name)'"
                )
            case .spread: ""
            }
        }
        let fragmentTypes = Set(spreads.map { names.fragment($0.fragment) })
        let reused = plan.fields.compactMap { field in sharedName(of: field, shared) }
        let own = fragmentTypes.union(propertyNames).union(reused)
        var typeScope = NameScope(reserved: ReservedNames.nestedTypes, referenced, own, [definition])
        let typeNames = plan.items.map { nestedName(of: $0, shared, &typeScope) }
        let fieldsName = isItem && Self.isLarge(plan) ? typeScope.claim("Fields") : nil
        let declared = Set((typeNames + [fieldsName]).compactMap { $0 }).subtracting(reused)
        let visible = enclosing + [declared.union(propertyNames)]
        // A struct that is declared here hides an outer struct of the same name.
        var sharing = shared.filter { !declared.contains($0.value.name) }
        for (position, item) in plan.items.enumerated() {
            guard case .field(let field) = item, let inner = field.selections, let name = typeNames[position] else {
                continue
            }
            sharing[field.responseKey] = SharedStruct(name: name, plan: inner)
        }
        var properties: [Property] = []
        var nested: [SwiftDeclaration] = []
        for (position, item) in plan.items.enumerated() {
            let typeName = typeNames[position]
            switch item {
            case .field(let field):
                properties.append(
                    property(propertyNames[position], field, typeName, reader, position, &propertyScope)
                )
                if let typeName, let inner = field.selections, sharedName(of: field, shared) == nil {
                    let isItem = field.definition.type.isList
                    nested.append(.type(structure(typeName, inner, path: ownPath, enclosing: visible, isItem: isItem)))
                }
            case .inline(let inline):
                guard let typeName else { continue }
                properties.append(
                    Property(
                        name: propertyNames[position],
                        type: .optional(.named(typeName)),
                        value: read("inlineFragment", reader, position, .named(typeName)),
                        isRequired: false
                    )
                )
                let inner = structure(
                    typeName,
                    inline.selections,
                    path: ownPath,
                    enclosing: visible,
                    shared: sharing
                )
                nested.append(.type(inner))
            case .spread: continue
            }
        }
        let fragments = fragmentsStructure(plan)
        if let fragments {
            if visible.allSatisfy(fragmentTypes.isDisjoint) {
                nested.append(.type(fragments))
            } else {
                var outside = fragments
                outside.head.modifiers = options.topLevelModifiers
                extensions.append(.extension(SwiftExtension(.named(ownPath), members: [.type(outside)])))
            }
        }
        let content = Content(properties: properties, type: plan.type, hasFragments: fragments != nil, reader: reader)
        let head = SwiftHead(modifiers: options.modifiers)
        let identified: [SwiftType] = hasIdentity(plan) ? [.named("GraphQLObject")] : []
        guard let fieldsName else {
            let members = declarations(content) + [initializer(content)] + nested
            let conformances = [.named("GeneratedCode.Selections")] + identified
            return SwiftTypeDeclaration(head, .struct, name, conformances, members: members)
        }
        let members = rowDeclarations(content, fieldsName) + [fieldsStructure(fieldsName, content)] + nested
        let conformances = [.named("GeneratedCode.ItemSelections")] + identified
        return SwiftTypeDeclaration(head, .struct, name, conformances, members: members)
    }

    /// Whether every object of the set selects its own `id`.
    private func hasIdentity(_ plan: SelectionPlan) -> Bool {
        plan.fields.contains { field in
            let type = field.definition.type
            guard field.responseKey == "id", field.definition.name == "id", field.condition.isAlways,
                type.isNonNull, !type.isList, case .plain = leaves.leaf(type)
            else { return false }
            return leaves.schema.namedType(of: type).name == "ID"
        }
    }

    /// The contents of one struct: its properties, and how they are read.
    struct Content {
        let properties: [Property]
        let type: SchemaType
        let hasFragments: Bool
        let reader: String
    }

    /// The name of the outer struct that selects the same as this field.
    private func sharedName(of field: SelectionPlan.Field, _ shared: [String: SharedStruct]) -> String? {
        guard let inner = field.selections, let known = shared[field.responseKey] else { return nil }
        return known.plan.isSame(as: inner) ? known.name : nil
    }

    private mutating func nestedName(
        of item: SelectionPlan.Item,
        _ shared: [String: SharedStruct],
        _ scope: inout NameScope
    ) -> String? {
        switch item {
        case .field(let field):
            guard let inner = field.selections else { return nil }
            if let known = sharedName(of: field, shared) { return known }
            let wanted = NestedTypeName.name(
                forKey: field.responseKey,
                isList: field.definition.type.isList,
                typeName: inner.type.name
            )
            return claim(wanted, &scope, field.span, "struct of field '\(field.responseKey)'")
        case .inline(let inline):
            return scope.claim("As" + SwiftName.uppercasingFirst(inline.type.name))
        case .spread: return nil
        }
    }

    private mutating func claim(_ wanted: String, _ scope: inout NameScope, _ span: Span, _ what: String) -> String {
        let name = scope.claim(wanted)
        if name != wanted {
            let message = "the \(what) is '\(name)' in Swift, since '\(wanted)' has another meaning there"
            let diagnostic = Diagnostic(.renamedMember, severity: .warning, message, at: span)
            if renamed.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
        }
        return name
    }

    // MARK: - Properties

    private func property(
        _ name: String,
        _ field: SelectionPlan.Field,
        _ typeName: String?,
        _ reader: String,
        _ position: Int,
        _ scope: inout NameScope
    ) -> Property {
        let reference = field.definition.type
        let isRequired = reference.isNonNull && field.condition.isAlways
        let innermost: SwiftType
        let method: String
        var argument: SwiftType?
        if let typeName {
            innermost = .named(typeName)
            method = "object"
            argument = innermost
        } else {
            let leaf = leaves.leaf(reference)
            innermost = leaf.type
            switch leaf {
            case .plain(_, let name): method = name
            case .enumeration(let type), .input(let type):
                method = "enumeration"
                argument = .named(type)
            case .mapped(_, let mapping):
                method = "scalar"
                argument = .named(mapping.conversionType)
            }
        }
        let type = LeafTypes.unwrapped(reference, innermost: innermost)
        return Property(
            name: name,
            storage: field.definition.deprecation == nil ? nil : scope.claim("_" + name),
            type: isRequired ? type : .optional(type),
            value: read(reference, method, argument, .name(reader), position, isInCondition: isRequired),
            isRequired: isRequired,
            documentation: field.definition.description,
            deprecation: field.definition.deprecation
        )
    }

    /// An expression such as `reader.requiredList(2) { $0.object(Film.self) }`; only the outermost call has the
    /// position.
    private func read(
        _ reference: TypeReference,
        _ method: String,
        _ argument: SwiftType?,
        _ reader: SwiftExpression,
        _ position: Int?,
        isInCondition: Bool = false
    ) -> SwiftExpression {
        var arguments = position.map { [SwiftArgument(nil, .integer($0))] } ?? []
        if let item = reference.item {
            if item.item == nil, method == "object", let argument {
                arguments.append(SwiftArgument(nil, .metatype(argument)))
                return .call(.member(reader, item.isNonNull ? "requiredObjects" : "objects"), arguments)
            }
            let closure = SwiftExpression.closure(read(item, method, argument, .closureArgument, nil))
            // Swift does not allow a trailing closure in a condition.
            arguments.append(SwiftArgument(nil, closure, isTrailing: !isInCondition))
            return .call(.member(reader, item.isNonNull ? "requiredList" : "list"), arguments)
        }
        if let argument { arguments.append(SwiftArgument(nil, .metatype(argument))) }
        return .call(.member(reader, method), arguments)
    }

    private func read(_ method: String, _ reader: String, _ position: Int, _ type: SwiftType) -> SwiftExpression {
        .call(
            .member(.name(reader), method),
            [SwiftArgument(nil, .integer(position)), SwiftArgument(nil, .metatype(type))]
        )
    }

    // MARK: - Fragments

    private mutating func fragmentsStructure(_ plan: SelectionPlan) -> SwiftTypeDeclaration? {
        var scope = NameScope(reserved: ["reader", "self", "_"])
        var members: [SwiftDeclaration] = []
        var body: [SwiftStatement] = []
        for (position, item) in plan.items.enumerated() {
            guard case .spread(let spread) = item else { continue }
            let type = names.fragment(spread.fragment)
            let name = claim(SwiftName.lowercasingFirst(type), &scope, spread.span, "reference to '\(spread.fragment)'")
            let reference = SwiftType.generic("FragmentReference", [.named(type)])
            let isRequired = spread.typeCondition == nil && spread.condition.isAlways
            members.append(
                .variable(
                    SwiftVariable(
                        SwiftHead(modifiers: options.modifiers),
                        isConstant: true,
                        name,
                        isRequired ? reference : .optional(reference)
                    )
                )
            )
            body.append(
                .assignment(.member(.selfReference, name), read("fragment", "reader", position, .named(type)))
            )
        }
        guard !members.isEmpty else { return nil }
        let initializer = SwiftFunction(
            SwiftHead(modifiers: ["fileprivate"]),
            .initializer,
            [Self.readerParameter("reader")],
            body: body
        )
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers),
            .struct,
            "Fragments",
            [.named("Sendable"), .named("Equatable")],
            members: members + [.function(initializer)]
        )
    }

    static func readerParameter(_ name: String) -> SwiftParameter {
        SwiftParameter(label: .none, name, .named("GeneratedCode.RecordReader"), isInout: true)
    }
}
