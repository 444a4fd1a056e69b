import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the `Data` struct of a reader plan, and the structs nested in it.
///
/// A struct stores only a row of a result. Its properties are computed at each use.
struct SelectionsGenerator {
    let names: TypeNames
    let leaves: LeafTypes
    let options: GenerationOptions
    /// The top-level types to which properties of the definition refer. No nested type may have one of these names.
    private let referenced: Set<String>
    /// The top-level type of the definition.
    let definition: String
    /// The extensions with the references of fragments.
    private(set) var extensions: [SwiftDeclaration] = []
    private(set) var leafTypes: Set<LeafTypes.Leaf> = []
    /// The builders of the structs that are complete, without those nested in others, if they are asked for.
    private(set) var builders: [SwiftTypeDeclaration] = []
    /// The names of what builders share; nil if no builders are asked for.
    var builderTypes: BuilderTypes?
    /// The protocol of the outermost builder.
    var builderRole = "EditBuilder"
    /// The fragments that have no builders.
    var withoutBuilders: Set<String> = []
    private(set) var diagnostics: [Diagnostic] = []
    /// The names of the structs for the fields `node`, by the paths of the structs with these fields.
    private(set) var nodeTypes: [String: String] = [:]
    /// The diagnostics that have been reported. A set occurs again inside its inline fragments, and must not be
    /// reported twice.
    private var renamed: Set<Diagnostic> = []

    init(names: TypeNames, leaves: LeafTypes, options: GenerationOptions, plan: SelectionPlan, definition: String) {
        self.names = names
        self.definition = definition
        self.leaves = leaves
        self.options = options
        var used: Set<LeafTypes.Leaf> = []
        leaves.collect(plan, into: &used)
        leafTypes = used
        var referenced = Set(used.flatMap(leaves.referencedNames))
        if options.builders {
            referenced.insert(definition)
            Self.collectFragments(of: plan, names, into: &referenced)
        }
        if options.builders { referenced.insert(BuilderNames.namespace) }
        // `Hashable` has a requirement of this name, with another type.
        if options.hashable { referenced.insert("hashValue") }
        self.referenced = referenced
    }

    private static func collectFragments(of plan: SelectionPlan, _ names: TypeNames, into used: inout Set<String>) {
        for item in plan.items {
            switch item {
            case .field(let field): if let inner = field.selections { collectFragments(of: inner, names, into: &used) }
            case .inline(let inline): collectFragments(of: inline.selections, names, into: &used)
            case .spread(let spread): used.insert(names.fragment(spread.fragment))
            }
        }
    }

    /// A struct outside of an inline fragment that is used inside it too, because both have the same selections.
    struct SharedStruct {
        let name: String
        /// The qualified name of the struct in which it is declared.
        let path: String
        let plan: SelectionPlan
    }

    /// Generates the struct of one set. `path` is the qualified name of its parent, and `place` the positions of the
    /// items that lead to the set.
    ///
    /// The depth limit of `Flatten` bounds the recursion.
    mutating func structure(
        _ name: String,
        _ plan: SelectionPlan,
        path: String,
        place: [Int] = [],
        shared: [String: SharedStruct] = [:]
    ) -> SwiftTypeDeclaration {
        let ownPath = path + "." + name
        let spreads = plan.items.compactMap { if case .spread(let spread) = $0 { spread } else { nil } }

        let fragmentTypes = Set(spreads.map { names.fragment($0.fragment) })
        var propertyScope = NameScope(reserved: ReservedNames.selectionProperties, referenced)
        let propertyNames = plan.items.map { item -> String in
            switch item {
            case .field(let field): claim(field.responseKey, &propertyScope, field.span, "field '\(field.responseKey)'")
            case .inline(let inline):
                claim(
                    propertyName(of: inline),
                    &propertyScope,
                    inline.span,
                    "inline fragment on '\(inline.type.name)'"
                )
            case .spread: ""
            }
        }
        let reused = plan.fields.compactMap { field in sharedName(of: field, shared) }
        let own = fragmentTypes.union(propertyNames).union(reused)
        var typeScope = NameScope(reserved: ReservedNames.nestedTypes, referenced, own, [definition])
        let typeNames = plan.items.map { nestedName(of: $0, shared, &typeScope) }
        let declared = Set(typeNames.compactMap { $0 }).subtracting(reused)
        // A struct that is declared in this set hides an outer struct of the same name.
        var sharing = shared.filter { !declared.contains($0.value.name) }
        for (position, item) in plan.items.enumerated() {
            guard case .field(let field) = item, let inner = field.selections, let name = typeNames[position] else {
                continue
            }
            sharing[field.responseKey] = SharedStruct(name: name, path: ownPath, plan: inner)
        }
        var properties: [SwiftDeclaration] = []
        var nested: [SwiftDeclaration] = []
        var branches: [Branch] = []
        let outerBuilders = builders
        builders = []
        let shape = ConnectionShape(of: plan, leaves.schema.names)
        for (position, item) in plan.items.enumerated() {
            let typeName = typeNames[position]
            switch item {
            case .field(let field):
                properties.append(property(propertyNames[position], field, typeName, at: position))
                if let typeName, let inner = field.selections, sharedName(of: field, shared) == nil {
                    let own = structure(
                        typeName, inner, path: ownPath, place: place + [position])
                    nested.append(.type(own))
                }
            case .inline(let inline):
                guard let typeName else { continue }
                properties.append(property(propertyNames[position], inline, typeName, at: position))
                if inline.alias == nil {
                    branches.append(
                        Branch(
                            type: inline.type, property: propertyNames[position], structure: typeName, inline: inline))
                }
                let inner = structure(
                    typeName, inline.selections, path: ownPath, place: place + [position],
                    shared: inline.alias == nil ? sharing : [:])
                nested.append(.type(inner))
            case .spread: continue
            }
        }
        for (item, name) in zip(plan.items, typeNames) {
            if case .field(let field) = item, field.responseKey == leaves.schema.names.node {
                nodeTypes[ownPath] = name
            }
        }
        if let shape, case .field(let edges) = plan.items[shape.edges] {
            let place = sharedName(of: edges, shared) == nil ? ownPath : shared[edges.responseKey]?.path ?? ownPath
            // The index of the property `edges`. Spreads have no properties and do not count.
            let index = plan.items[..<shape.edges].count { if case .spread = $0 { false } else { true } }
            if let nodes = nodes(shape, edge: typeNames[shape.edges], in: place, propertyScope) {
                properties[index] = .line([properties[index], nodes])
            }
        }
        if !branches.isEmpty {
            let property = claim("asCase", &propertyScope, branches[0].inline.span, "property of the cases")
            let type = typeScope.claim("Case")
            // A nested type may hide the struct of this set.
            let isHidden = type == name || typeNames.contains(name)
            let cases = cases(branches, of: isHidden ? ownPath : name, property: property, type: type)
            properties.append(cases.property)
            nested.append(cases.type)
        }
        if let references = references(plan, of: ownPath) { extensions.append(references) }
        if let builderTypes {
            let paths = zip(plan.items, typeNames).map { item, name -> String? in
                guard case .field(let field) = item, let known = sharedName(of: field, shared) else {
                    return name.map { ownPath + "." + $0 }
                }
                return shared[field.responseKey].map { $0.path + "." + known }
            }
            let own = builder(
                plan, place.isEmpty ? BuilderNames.nestedType : name, place.isEmpty ? builderRole : "EditBuilder",
                builderTypes, properties: propertyNames, types: paths, propertyScope, nested: builders)
            builders = outerBuilders + [own]
        }
        let identified: [SwiftType] = hasIdentity(plan) ? [.named("Identifiable")] : []
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers),
            .struct,
            name,
            [.named("GeneratedCode.Selections")] + identified + (options.hashable ? [.named("Hashable")] : []),
            lead: rowMembers + typename(of: plan.type),
            members: properties + nested
        )
    }

    /// Whether every object of the set selects its own `id`.
    private func hasIdentity(_ plan: SelectionPlan) -> Bool {
        plan.fields.contains { field in
            let type = field.definition.type
            guard field.responseKey == "id", field.definition.name == "id", field.condition.isAlways,
                field.nullability.catches == nil, type.isNonNull, !type.isList, case .plain = leaves.leaf(type)
            else { return false }
            return leaves.schema.namedType(of: type).name == "ID"
        }
    }

    /// The name of the outer struct with the same selections as this field.
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
            return scope.claim(SwiftName.uppercasingFirst(propertyName(of: inline)))
        case .spread: return nil
        }
    }

    /// The name of an inline fragment's property: its alias, or a name made from its type.
    private func propertyName(of inline: SelectionPlan.Inline) -> String {
        guard let alias = inline.alias else { return "as" + options.conditionName(inline.type) }
        return alias == inline.type.name ? SwiftName.lowercasingFirst(alias) : alias
    }

    mutating func claim(_ wanted: String, _ scope: inout NameScope, _ span: Span, _ what: String) -> String {
        let name = scope.claim(wanted)
        if name != wanted {
            let message = "the \(what) is '\(name)' in Swift, since '\(wanted)' has another meaning there"
            let diagnostic = Diagnostic(.renamedMember, severity: .warning, message, at: span)
            if renamed.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
        }
        return name
    }
}
