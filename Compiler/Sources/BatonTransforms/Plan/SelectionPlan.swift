import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// A flat selection set: the output of `Flatten`, and the input for printing plans.
package struct SelectionPlan: Sendable {
    /// The type of the objects on which the items are selected.
    package let type: SchemaType
    package var items: [Item]
    /// For the root of a query, the seconds after which the query's data is stale; nil for never.
    package var maxAge: Int?
    /// For the root: the facts of the client's schema about types that the plan's type conditions may meet.
    package var clientTypes: [ClientTypes.Fact] = []
    /// For the root of a normalization plan: the keys of the types that have key fields.
    package var keys: [KeyFields.Key] = []
    /// For the root of a reader plan: the treatment of errors.
    package var errors = ErrorTreatment()

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
        /// The type for readers. `@semanticNonNull` may make it stricter than the type in the schema.
        package let type: TypeReference
        /// The treatment of a missing value and of errors by a reader.
        package let nullability: FieldNullability
        /// The arguments in document order.
        package let arguments: [Argument]
        package var condition: Condition
        /// The selections below the field; nil for a leaf.
        package var selections: SelectionPlan?
        /// The handle that the store keeps of the field, and that readers read instead of the field; nil for the field
        /// itself.
        package let handle: FieldHandle?
        /// The part with the later items of the list; nil if all items arrive with the object. Only normalization plans
        /// have it.
        package let stream: Increment?
        /// The part in which a field arrives that arrives later. Only reader plans have it.
        package let deferral: Increment?
        /// The change of the store when an answer has the field. Only normalization plans have it.
        package let mutation: FieldMutation?
        /// Whether the field is for the client alone, so that the server is not asked for it.
        package let isClient: Bool
        package let span: Span
        /// The seconds after which the value is stale; nil for never.
        package var maxAge: Int?
    }

    /// Items in a set of their own: for the objects of one type, for an alias, or for a part that arrives later.
    package struct Inline: Sendable {
        /// The type of the objects on which the items are selected.
        package let type: SchemaType
        /// Whether objects of the enclosing set may be of another type, for which there are no items.
        package var hasTypeCondition = true
        /// The name of the set by `@alias`; nil if the set is named after the type.
        package var alias: String?
        /// The part of the answer in which the items arrive; nil if they come with the object.
        package var deferral: Increment?
        /// The replacement for a set with errors.
        package var catches: CatchTarget?
        /// Whether the enclosing object has no value if the items have none.
        package var isRequired = false
        /// Whether no server may be asked which objects are of the type, so that the answer is not missed. Only reader
        /// plans have it.
        package var isClient = false
        package var condition: Condition
        package var selections: SelectionPlan
        package let span: Span
    }

    package struct Spread: Sendable {
        package let fragment: String
        /// The name of the reference; nil for the name of the fragment.
        package let alias: String?
        /// The arguments for the fragment, in document order.
        package let arguments: [Argument]
        /// The fragment's type, if an object may not match it.
        package let typeCondition: SchemaType?
        /// The part of the answer in which the fragment arrives; nil if it comes with the object.
        package let deferral: Increment?
        /// Whether it is possible that the server is not asked which objects are of the type. If the store does not
        /// know the answer, the spread does not count as missing data.
        package let isClient: Bool
        package var condition: Condition
        package let span: Span
    }

    /// Whether a part of the selections may arrive later. The depth limit of `Flatten` bounds the recursion.
    package var comesInParts: Bool {
        items.contains { item in
            switch item {
            case .field(let field): field.stream != nil || field.selections?.comesInParts == true
            case .inline(let inline): inline.deferral != nil || inline.selections.comesInParts
            case .spread(let spread): spread.deferral != nil
            }
        }
    }

    /// The fields at this level.
    package var fields: [Field] {
        items.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

extension SelectionPlan {
    /// Whether both plans have the same selections in the same order, on the same type.
    ///
    /// The depth limit of `Flatten` bounds the recursion.
    package func isSame(as other: SelectionPlan) -> Bool {
        guard type === other.type, items.count == other.items.count else { return false }
        return zip(items, other.items).allSatisfy { left, right in
            switch (left, right) {
            case (.field(let left), .field(let right)):
                left.responseKey == right.responseKey && left.definition === right.definition
                    && left.type == right.type && left.nullability == right.nullability
                    && left.condition == right.condition && left.arguments == right.arguments
                    && left.deferral == right.deferral
                    && Self.areSame(left.selections, right.selections)
            case (.inline(let left), .inline(let right)):
                left.type === right.type && left.condition == right.condition && left.alias == right.alias
                    && left.catches == right.catches && left.isClient == right.isClient
                    && left.selections.isSame(as: right.selections)
            case (.spread(let left), .spread(let right)):
                left.fragment == right.fragment && left.alias == right.alias
                    && left.arguments == right.arguments
                    && left.condition == right.condition
                    && left.typeCondition == right.typeCondition
                    && left.deferral == right.deferral && left.isClient == right.isClient
            default: false
            }
        }
    }

    private static func areSame(_ left: SelectionPlan?, _ right: SelectionPlan?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.isSame(as: right)
    }
}

extension SelectionPlan {
    /// Whether an object of the set may become null because a required field has no value. A field with `THROW` fails
    /// the whole read instead.
    var canLackRequired: Bool {
        items.contains { item in
            guard case .field(let field) = item, let action = field.nullability.required else { return false }
            return action != .throw && !field.type.isNonNull
        }
    }
}
