import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// A flat selection set: what `flatten` makes of selections, and what plans and network text are printed from.
package struct SelectionPlan: Sendable {
    /// The type that every object has on which these items are selected.
    package let type: SchemaType
    package var items: [Item]
    /// Of the root of a query: after how many seconds what it selects is stale; nil for never.
    package var maxAge: Int?

    package init(type: SchemaType, items: [Item] = []) {
        self.type = type
        self.items = items
    }

    package enum Item: Sendable {
        case field(Field)
        case inline(Inline)
        case spread(Spread)
    }

    package struct Field: Sendable {
        package let responseKey: String
        package let definition: SchemaField
        /// Sorted by name.
        package let arguments: [Argument]
        package let directives: [Directive]
        package var condition: Condition
        /// Nil for a leaf.
        package var selections: SelectionPlan?
        package let span: Span
        /// After how many seconds its value is stale; nil for never.
        package var maxAge: Int?
    }

    /// Items for objects of one type among those that the enclosing set admits.
    package struct Inline: Sendable {
        package let type: SchemaType
        /// Those that are sent; of a text.
        package var directives: [Directive] = []
        package var condition: Condition
        package var selections: SelectionPlan
        package let span: Span

        /// Whether only the server can say if an object is of the type, so that the text asks for `__isType`.
        package var needsDiscriminator: Bool { type.isAbstract }
    }

    package struct Spread: Sendable {
        package let fragment: String
        /// The fragment's type where an object may not match it.
        package let typeCondition: SchemaType?
        package let directives: [Directive]
        package var condition: Condition
        package let span: Span
    }

    /// The fields at this level.
    package var fields: [Field] {
        items.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

extension SelectionPlan {
    /// Whether both select the same in the same order, on the same type.
    ///
    /// Recursion is bounded by the depth limit of `Flatten`.
    package func isSame(as other: SelectionPlan) -> Bool {
        guard type === other.type, items.count == other.items.count else { return false }
        return zip(items, other.items).allSatisfy { left, right in
            switch (left, right) {
            case (.field(let left), .field(let right)):
                left.responseKey == right.responseKey && left.definition === right.definition
                    && left.condition == right.condition && left.arguments == right.arguments
                    && Self.areSame(left.selections, right.selections)
            case (.inline(let left), .inline(let right)):
                left.type === right.type && left.condition == right.condition
                    && left.selections.isSame(as: right.selections)
            case (.spread(let left), .spread(let right)):
                left.fragment == right.fragment && left.condition == right.condition
                    && left.typeCondition == right.typeCondition
            default: false
            }
        }
    }

    private static func areSame(_ left: SelectionPlan?, _ right: SelectionPlan?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.isSame(as: right)
    }
}
