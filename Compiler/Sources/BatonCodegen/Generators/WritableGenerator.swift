import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the struct `Writable` of a definition with `@updatable`, and the structs nested in it.
///
/// A scalar is a property with a setter. An object is a property without a setter. A link is assigned as a reference to
/// an assignable fragment: `setDirector(film.fragments.person_assignable)`.
struct WritableGenerator {
    private let names: TypeNames
    private let leaves: LeafTypes
    private let options: GenerationOptions
    /// The top-level type of the definition.
    private let definition: String
    /// The top-level types to which the structs refer. No nested type may have one of these names.
    private var referenced: Set<String>
    /// The leaf types of the plan.
    private(set) var leafTypes: Set<LeafTypes.Leaf> = []

    init(
        names: TypeNames, leaves: LeafTypes, options: GenerationOptions, plan: SelectionPlan, definition: String
    ) {
        self.names = names
        self.leaves = leaves
        self.options = options
        self.definition = definition
        leaves.collect(plan, into: &leafTypes)
        referenced = Set(leafTypes.flatMap(leaves.referencedNames))
        collectFragments(of: plan)
    }

    private mutating func collectFragments(of plan: SelectionPlan) {
        for item in plan.items {
            switch item {
            case .field(let field): if let inner = field.selections { collectFragments(of: inner) }
            case .inline(let inline): collectFragments(of: inline.selections)
            case .spread(let spread): referenced.insert(names.fragment(spread.fragment))
            }
        }
    }

    /// The struct of a set. The depth limit of `Flatten` bounds the recursion.
    func structure(_ name: String, _ plan: SelectionPlan) -> SwiftTypeDeclaration {
        var scope = NameScope(reserved: ReservedNames.selectionProperties, ["__place"])
        var typeScope = NameScope(reserved: ReservedNames.nestedTypes, referenced, [definition, "Writable"])
        var members: [SwiftDeclaration] = []
        var nested: [SwiftDeclaration] = []
        for (position, item) in plan.items.enumerated() {
            switch item {
            case .field(let field):
                guard let inner = field.selections else {
                    if field.definition.isDataID {
                        members.append(dataID(scope.claim(field.responseKey)))
                    } else if field.responseKey != "__typename" {
                        members.append(property(scope.claim(field.responseKey), field, at: position))
                    }
                    continue
                }
                guard field.type.listDepth < 2 else { continue }
                let wanted = NestedTypeName.name(
                    forKey: field.responseKey, isList: field.type.isList, typeName: inner.type.name)
                let structure = typeScope.claim(wanted)
                let property = scope.claim(field.responseKey)
                members.append(object(property, structure, isList: field.type.isList, at: position))
                members += setters(of: property, field, inner, at: position)
                nested.append(.type(self.structure(structure, inner)))
            case .inline(let inline):
                let wanted = SwiftName.uppercasingFirst(inline.type.name)
                let structure = typeScope.claim("As" + wanted)
                let value = read("inlineFragment", position, [.metatype(.named(structure))])
                members.append(computed(scope.claim("as" + wanted), .named(structure), [.expression(value)]))
                nested.append(.type(self.structure(structure, inline.selections)))
            case .spread: continue
            }
        }
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers), .struct, name, [.named("GeneratedCode.WritableSelections")],
            lead: lead, members: members + nested)
    }

    private var lead: [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        let type = SwiftType.named("GeneratedCode.WritablePlace")
        let place = SwiftVariable(head, isConstant: true, "__place", type)
        let body = [SwiftStatement.assignment(.name("__place"), .name("place"))]
        let initializer = SwiftFunction(
            head, .initializer, [SwiftParameter(label: .none, "place", type)], body: body)
        let typename = SwiftVariable(
            head, isConstant: false, "__typename", .named("String"),
            getter: [.expression(.member(.name("__place"), "typename"))])
        return [.variable(place), .function(initializer), .variable(typename)]
    }

    private func computed(
        _ name: String, _ type: SwiftType, _ getter: [SwiftStatement], setter: [SwiftStatement] = [],
        deprecation: String? = nil
    ) -> SwiftDeclaration {
        var variable = SwiftVariable(
            SwiftHead(deprecation: deprecation, modifiers: options.modifiers), isConstant: false, name,
            .optional(type), getter: getter, setter: setter)
        variable.isSetNonmutating = true
        return .variable(variable)
    }

    /// The property for `__id`, which the store chooses, so that it has no setter.
    private func dataID(_ name: String) -> SwiftDeclaration {
        .variable(
            SwiftVariable(
                SwiftHead(modifiers: options.modifiers), isConstant: false, name, .named("String"),
                getter: [.expression(.member(.member(.name("__place"), "dataID"), "rawValue"))]))
    }

    // MARK: - Scalars

    private func property(_ name: String, _ field: SelectionPlan.Field, at position: Int) -> SwiftDeclaration {
        let leaf = leaves.leaf(field.type)
        let type = LeafTypes.unwrapped(field.type, innermost: leaf.type)
        return computed(
            name, type, [.expression(read(field.type, leaf, .name("__place"), position))],
            setter: setter(field.type, leaf, at: position), deprecation: field.definition.deprecation)
    }

    /// An expression such as `__place.list(2) { $0.string() }`; only the outermost call has the position.
    private func read(
        _ reference: TypeReference, _ leaf: LeafTypes.Leaf, _ place: SwiftExpression, _ position: Int?
    ) -> SwiftExpression {
        var arguments = position.map { [SwiftArgument(nil, .integer($0))] } ?? []
        var method = leaf.method
        if let item = reference.item {
            let inner = read(item, leaf, .closureArgument, nil)
            arguments.append(SwiftArgument(nil, .closure(inner), isTrailing: true))
            method = item.isNonNull ? "list" : "optionalList"
        } else {
            switch leaf {
            case .mapped(_, let mapping): arguments.append(metatype(mapping.conversionType))
            case .enumeration(let name), .input(let name), .oneOf(let name): arguments.append(metatype(name))
            case .plain: break
            }
        }
        return .call(.member(place, method), arguments)
    }

    private func metatype(_ name: String) -> SwiftArgument { SwiftArgument(nil, .metatype(.named(name))) }

    private func setter(_ reference: TypeReference, _ leaf: LeafTypes.Leaf, at position: Int) -> [SwiftStatement] {
        var arguments: [SwiftExpression] = [.name("newValue")]
        if case .mapped(_, let mapping) = leaf {
            if reference.listDepth > 1 { return [] }
            arguments.append(.metatype(.named(mapping.conversionType)))
        }
        return [.expression(read("set", position, arguments))]
    }

    private func read(_ method: String, _ position: Int, _ arguments: [SwiftExpression]) -> SwiftExpression {
        .call(
            .member(.name("__place"), method),
            [SwiftArgument(nil, .integer(position))] + arguments.map { SwiftArgument(nil, $0) })
    }

    // MARK: - Links

    private func object(_ name: String, _ structure: String, isList: Bool, at position: Int) -> SwiftDeclaration {
        let value = read(isList ? "objects" : "object", position, [.metatype(.named(structure))])
        let type = SwiftType.named(structure)
        return computed(name, isList ? .array(.optional(type)) : type, [.expression(value)])
    }

    /// The assignable fragments that are spread in a set, directly or under its type conditions, each once.
    private func assignables(in plan: SelectionPlan) -> [String] {
        var fragments: [String] = []
        for item in plan.items {
            switch item {
            case .spread(let spread): fragments.append(spread.fragment)
            case .inline(let inline): fragments += assignables(in: inline.selections)
            case .field: break
            }
        }
        var seen: Set<String> = []
        return fragments.filter { seen.insert($0).inserted }
    }

    /// A method for each assignable fragment that is spread below the field. If the number of such fragments is not
    /// one, nil as an argument would be ambiguous, and a separate method removes the link.
    private func setters(
        of name: String, _ field: SelectionPlan.Field, _ inner: SelectionPlan, at position: Int
    ) -> [SwiftDeclaration] {
        let title = SwiftName.uppercasingFirst(name)
        let isList = field.type.isList
        let fragments = assignables(in: inner)
        let takesNil = fragments.count == 1 && !field.type.isNonNull
        func method(_ name: String, _ parameters: [SwiftParameter], _ call: SwiftExpression) -> SwiftDeclaration {
            .function(
                SwiftFunction(
                    SwiftHead(modifiers: options.modifiers), .function(name), parameters, body: [.expression(call)]))
        }
        let assignment = SwiftExpression.call(
            .member(.name("__place"), "set"),
            [SwiftArgument(nil, .integer(position)), SwiftArgument(isList ? "links" : "link", .name("target"))])
        var methods = fragments.map { fragment in
            let reference = SwiftType.generic("FragmentReference", [.named(names.fragment(fragment))])
            let isItemOptional = field.type.item?.isNonNull == false
            let type = isList ? SwiftType.array(isItemOptional ? .optional(reference) : reference) : reference
            return method(
                "set" + title, [SwiftParameter(label: .none, "target", takesNil ? .optional(type) : type)], assignment)
        }
        if !takesNil, isList || !field.type.isNonNull {
            methods.append(method("remove" + title, [], read(isList ? "removeLinks" : "removeLink", position, [])))
        }
        return methods
    }
}
