import BatonIR
import BatonSchema

/// Removes selections under a type or condition that the enclosing set selects too.
///
/// Before:
///
///     { hero { id name } ... on Query { hero { id rank } } [a] hero { id } }
///
/// After:
///
///     { hero { id name } ... on Query { hero { rank } } }
///
/// Runs after `Flatten`, for normalization. It does not run for reading, because a reader finds every item in its own
/// set.
package struct SkipRedundant {
    package init() {}

    /// The unconditional fields of enclosing sets by response key; several sets may have the same key.
    private struct Covered {
        var fields: [String: [SelectionPlan.Field]] = [:]

        mutating func add(_ plan: SelectionPlan) {
            for item in plan.items {
                switch item {
                case .field(let field):
                    if field.condition.isAlways { fields[field.responseKey, default: []].append(field) }
                case .inline, .spread: break
                }
            }
        }
    }

    /// Transforms a plan. The depth limit of `Flatten` bounds the recursion.
    package func transform(_ plan: SelectionPlan) -> SelectionPlan { reduced(plan) ?? plan }

    /// The transformed plan; nil if no set in it has groups. Most plans have none, and stay in their memory.
    private func reduced(_ plan: SelectionPlan) -> SelectionPlan? {
        let hasGroups = plan.items.contains { item in
            switch item {
            case .field(let field): !field.condition.isAlways
            case .inline: true
            case .spread: false
            }
        }
        if hasGroups { return reduce(plan, Covered()) }
        var result: SelectionPlan?
        for (index, item) in plan.items.enumerated() {
            guard case .field(var field) = item, let inner = field.selections.flatMap(reduced) else { continue }
            field.selections = inner
            var changed = result.take() ?? plan
            changed.items[index] = .field(field)
            result = changed
        }
        return result
    }

    /// Removes from a set the selections of its enclosing sets, and from the set's groups the selections of the set.
    private func reduce(_ plan: SelectionPlan, _ outer: Covered) -> SelectionPlan {
        var covered = outer
        covered.add(plan)
        var items: [SelectionPlan.Item] = []
        for item in plan.items {
            switch item {
            case .field(var field):
                let known = (field.condition.isAlways ? outer : covered).fields[field.responseKey] ?? []
                // A handler must see the field in each place where a directive requests the handle or a change. A field
                // that the server is asked for is not redundant beside one that it is not asked for.
                let others = known.filter {
                    (field.isClient || !$0.isClient) && (field.handle == nil || $0.handle == field.handle)
                        && (field.mutation == nil || $0.mutation == field.mutation)
                        && (field.stream == nil || $0.stream == field.stream)
                }
                guard let selections = field.selections else {
                    if others.isEmpty { items.append(item) }
                    continue
                }
                if others.isEmpty {
                    field.selections = transform(selections)
                } else {
                    var inside = Covered()
                    for other in others { if let selections = other.selections { inside.add(selections) } }
                    let rest = reduce(selections, inside)
                    if rest.items.isEmpty { continue }
                    field.selections = rest
                }
                items.append(.field(field))
            // A part that arrives later is written separately.
            case .inline(var inline) where inline.deferral != nil:
                inline.selections = transform(inline.selections)
                items.append(.inline(inline))
            case .inline(var inline):
                inline.selections = reduce(inline.selections, covered)
                if !inline.selections.items.isEmpty || inline.type.isAbstract { items.append(.inline(inline)) }
            case .spread: items.append(item)
            }
        }
        return SelectionPlan(type: plan.type, items: items)
    }
}
