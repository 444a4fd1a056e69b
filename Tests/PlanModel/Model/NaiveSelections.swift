import BatonSchema
import BatonSyntax

/// The selections of a document on one object, computed by the algorithm of the specification alone.
///
/// Specification: https://spec.graphql.org/September2025/#CollectFields()
struct NaiveSelections {
    /// The field of one response key, with the selection sets of all its occurrences.
    struct Selected {
        let name: String
        let arguments: String
        var sets: [SelectionSet] = []
        /// Whether any selection below the field can apply. The compiler leaves out a field without such selections.
        var isReachable: Bool
        /// Whether the server is asked for the field: the server has the field, and is asked for a selection below it.
        var isAsked: Bool
    }

    private let schema: Schema
    private let fragments: [String: FragmentDefinition]
    /// The values of the variables in conditions.
    private let values: [String: Bool]
    /// Whether spreads are followed. If not, spreads are collected in `spreads`.
    private let followsSpreads: Bool

    private(set) var fields: [String: Selected] = [:]
    /// The spreads that match the object and were not followed.
    private(set) var spreads: Set<String> = []
    private var visited: Set<String> = []

    init(
        _ sets: [SelectionSet],
        on object: SchemaType,
        schema: Schema,
        fragments: [String: FragmentDefinition],
        values: [String: Bool],
        followsSpreads: Bool = true
    ) {
        self.schema = schema
        self.fragments = fragments
        self.values = values
        self.followsSpreads = followsSpreads
        for set in sets { collect(set, on: object) }
    }

    private mutating func collect(_ set: SelectionSet, on object: SchemaType) {
        for selection in set.selections where isIncluded(selection.directives) {
            switch selection {
            case .field(let field):
                let key = field.responseKey.text
                let definition = schema.field(named: field.name.text, on: object)
                let isLeaf = field.selectionSet == nil
                let new = Selected(
                    name: field.name.text, arguments: Self.text(of: field.arguments), isReachable: isLeaf,
                    isAsked: isLeaf && definition?.isClientOnly != true)
                if let set = field.selectionSet {
                    fields[key, default: new].sets.append(set)
                    if canApply(set) { fields[key, default: new].isReachable = true }
                    let type = definition.map { schema.namedType(of: $0.type) }
                    if definition?.isClientOnly != true, let type, asks(set, on: type) {
                        fields[key, default: new].isAsked = true
                    }
                } else if fields[key] == nil {
                    fields[key] = new
                }
            case .inlineFragment(let inline):
                if let condition = inline.typeCondition, !matches(condition.text, object) { continue }
                collect(inline.selectionSet, on: object)
            case .fragmentSpread(let spread):
                let name = spread.name.text
                guard let fragment = fragments[name], matches(fragment.typeCondition.text, object) else { continue }
                if !followsSpreads {
                    if canApply(fragment.selectionSet) { spreads.insert(name) }
                } else if visited.insert(name).inserted {
                    collect(fragment.selectionSet, on: object)
                }
            }
        }
    }

    /// Whether a set has a selection, at any depth, that no literal condition excludes.
    private func canApply(_ set: SelectionSet) -> Bool {
        set.selections.contains { selection in
            let isExcluded = selection.directives.contains { directive in
                guard directive.name.text != "defer", case .boolean(let literal)? = directive.argument("if") else {
                    return false
                }
                return literal.isTrue == (directive.name.text == "skip")
            }
            if isExcluded { return false }
            return switch selection {
            case .field(let field): field.selectionSet.map(canApply) ?? true
            case .inlineFragment(let inline): canApply(inline.selectionSet)
            case .fragmentSpread(let spread): fragments[spread.name.text].map { canApply($0.selectionSet) } ?? false
            }
        }
    }

    /// Whether the server is asked for a selection of a set that can apply, apart from selections that the compiler
    /// adds.
    private func asks(_ set: SelectionSet, on type: SchemaType) -> Bool {
        set.selections.contains { selection in
            if !canApply(SelectionSet([selection])) { return false }
            switch selection {
            case .field(let field):
                guard let definition = schema.field(named: field.name.text, on: type) else { return false }
                if definition.isClientOnly { return false }
                return field.selectionSet.map { asks($0, on: schema.namedType(of: definition.type)) } ?? true
            case .inlineFragment(let inline):
                let inner = inline.typeCondition.flatMap { schema.type(named: $0.text) } ?? type
                return !inner.isClientOnly && asks(inline.selectionSet, on: inner)
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.text],
                    let inner = schema.type(named: fragment.typeCondition.text)
                else { return false }
                return !inner.isClientOnly && asks(fragment.selectionSet, on: inner)
            }
        }
    }

    private func matches(_ condition: String, _ object: SchemaType) -> Bool {
        schema.type(named: condition).map { schema.isPossible(object, for: $0) } ?? false
    }

    private func isIncluded(_ directives: [Directive]) -> Bool {
        directives.allSatisfy { directive in
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include" else { return true }
            switch directive.argument("if") {
            case .boolean(let literal): return literal.isTrue != isSkip
            case .variable(let variable): return (values[variable.name] ?? false) != isSkip
            default: return true
            }
        }
    }

    /// The arguments, sorted by name and spelled as in plans.
    private static func text(of arguments: [Argument]) -> String {
        if arguments.isEmpty { return "" }
        return arguments.sorted { $0.name.text < $1.name.text }
            .map { $0.name.text + ":" + text(of: $0.value) }.joined(separator: ",")
    }

    /// Random documents have only these kinds of values.
    private static func text(of value: Value) -> String {
        switch value {
        case .variable(let variable): "$" + variable.name
        case .int(let number): number.text
        case .enum(let name): name.text
        default: "?"
        }
    }
}

/// The selections of plans on one object: the items of sets, and of their inline fragments that match.
struct PlanSelections {
    struct Selected {
        let field: PlanSet.Field
        var sets: [PlanSet] = []
    }

    private(set) var fields: [String: Selected] = [:]
    private(set) var spreads: Set<String> = []
    /// The abstract types about which the plan asks the answer or the store.
    private(set) var asked: Set<String> = []
    /// Fields that differ from another field with the same key, and spreads that do not match although their plan
    /// claims a match.
    private(set) var mistakes: [String] = []

    private let schema: Schema
    private let values: [String: Bool]

    init(_ sets: [PlanSet], on object: SchemaType, schema: Schema, values: [String: Bool], isDirect: Bool = false) {
        self.schema = schema
        self.values = values
        for set in sets { collect(set, on: object, isDirect: isDirect) }
    }

    private mutating func collect(_ set: PlanSet, on object: SchemaType, isDirect: Bool) {
        for item in set.items {
            switch item {
            case .field(let field):
                guard field.condition.holds(values) else { continue }
                if let known = fields[field.responseKey]?.field,
                    known.name != field.name || known.arguments != field.arguments
                {
                    mistakes.append("'\(field.responseKey)' is two fields")
                }
                var selected = fields[field.responseKey] ?? Selected(field: field)
                // A field counts as asked for if one of its occurrences is.
                if selected.field.isClient, !field.isClient { selected = Selected(field: field, sets: selected.sets) }
                if let inner = field.selections { selected.sets.append(inner) }
                fields[field.responseKey] = selected
            case .inline(let inline):
                guard !isDirect, inline.condition.holds(values) else { continue }
                if inline.isAbstract { asked.insert(inline.type) }
                if matches(inline.type, object) { collect(inline.selections, on: object, isDirect: false) }
            case .spread(let spread):
                guard spread.condition.holds(values) else { continue }
                if let type = spread.type {
                    if schema.type(named: type)?.isAbstract == true { asked.insert(type) }
                    if !matches(type, object) { continue }
                }
                spreads.insert(spread.fragment)
            }
        }
    }

    private func matches(_ type: String, _ object: SchemaType) -> Bool {
        if type.isEmpty { return true }
        return schema.type(named: type).map { schema.isPossible(object, for: $0) } ?? false
    }
}
