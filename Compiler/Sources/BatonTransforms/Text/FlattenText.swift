import BatonIR
import BatonSchema
import BatonSyntax

/// Merges equal selections of a text, and removes inline fragments without effect.
///
/// Before:
///
///     { hero { name } ... { hero { rank } } ... on Query @note { hero { age } } ... on Query { villain { name } } }
///
/// After:
///
///     { hero { name rank } ... on Query @note { hero { age } } villain { name } }
///
/// Fields of one response key, spreads of one fragment, inline fragments on one type, and equal conditions merge if
/// their directives are equal. The merged selection stands at the first place. Selections of a set are not removed from
/// the inline fragments in the set.
///
/// Runs after `TextBuilder`.
struct FlattenText {
    private let schema: Schema

    init(schema: Schema) {
        self.schema = schema
    }

    /// Merging adds no depth, so that the limits of the parser and of `Unmask` bound the recursion.
    func flatten(_ selections: [TextSelection], on type: SchemaType) -> [TextSelection] {
        var merged = Merged()
        collect(selections, on: type, into: &merged)
        return merged.selections.map { selection in
            var selection = selection
            switch selection {
            case .field(let field):
                if !field.selections.isEmpty {
                    let inner = schema.namedType(of: field.definition.type)
                    selection.children = flatten(field.selections, on: inner)
                }
            case .inlineFragment(let inline):
                selection.children = flatten(inline.selections, on: inline.type ?? type)
            case .condition(let condition):
                selection.children = flatten(condition.selections, on: type)
            case .spread: break
            }
            return selection
        }
    }

    private func collect(_ selections: [TextSelection], on type: SchemaType, into merged: inout Merged) {
        for selection in selections {
            if case .inlineFragment(let inline) = selection, inline.directives.isEmpty,
                inline.type == nil || inline.type === type
            {
                collect(inline.selections, on: type, into: &merged)
            } else {
                merged.add(selection)
            }
        }
    }

    /// The selections of one set. Equal selections have one place.
    private struct Merged {
        private(set) var selections: [TextSelection] = []
        private var index: [Key: Int] = [:]

        enum Key: Hashable {
            case field(String, [Directive])
            case inlineFragment(TypeID?, [Directive])
            case spread(String, [Directive])
            case condition(String, Bool)
        }

        mutating func add(_ selection: TextSelection) {
            let key: Key =
                switch selection {
                case .field(let field): .field(field.responseKey, field.directives)
                case .inlineFragment(let inline): .inlineFragment(inline.type?.id, inline.directives)
                case .spread(let spread): .spread(spread.fragment, spread.directives)
                case .condition(let condition): .condition(condition.variable, condition.isSkip)
                }
            if let known = index[key] {
                if let children = selection.children, !children.isEmpty {
                    selections[known].children = (selections[known].children ?? []) + children
                }
            } else {
                index[key] = selections.count
                selections.append(selection)
            }
        }
    }
}
