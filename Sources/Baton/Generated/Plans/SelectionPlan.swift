/// A selection plan in the form that the compiler wrote: names are text and variables have no values.
///
/// The grammar is in the proposal "The contract between compiler and runtime".
package struct SelectionPlan: Sendable, Hashable {
    /// A variable of an operation, or an argument of a fragment, and its default value.
    package struct Variable: Sendable, Hashable {
        /// The name, without `$`.
        package let name: String
        /// The value if the variable is left out; nil if the variable then has no value, which is different from null.
        /// An argument of a fragment that has no default and is left out is null.
        package let defaultValue: JSONValue?
    }

    /// One element of a selection set. Generated code reads by the position of the element.
    package struct Item: Sendable, Hashable {
        /// The kinds of elements of a selection set.
        package enum Kind: Sendable, Hashable {
            case field(Field)
            /// Without a type condition, the fragment applies to the type of its parent.
            case inline(TypeCondition?, [Item])
            /// The arguments are sorted by name. The fragment may declare others.
            case spread(name: String, arguments: [Argument], TypeCondition?)
        }

        /// The condition under which the element is selected; nil if it always is.
        package let condition: Condition?
        /// The field or fragment that the element selects.
        package let kind: Kind
        /// The element's directives.
        package var marks = Marks.none
    }

    /// The `@skip` and `@include` directives around an element, as alternatives of conjunctions.
    package struct Condition: Sendable, Hashable {
        /// A Boolean variable or its opposite.
        package struct Literal: Sendable, Hashable {
            /// The variable's name, without `$`.
            package let variable: String
            /// True if the variable must be false, as in `@skip`.
            package let isNegated: Bool
        }

        /// The conjunctions. The condition holds if all literals of at least one conjunction hold.
        package let alternatives: [[Literal]]
    }

    /// The type that an object must have for an inline fragment or a spread to apply.
    package struct TypeCondition: Sendable, Hashable {
        /// The name of an object type, an interface or a union.
        package let type: String
        /// True for an interface or union, so that responses have to show which objects belong to it.
        package let isAbstract: Bool
    }

    /// A field with its arguments and its selection set.
    package struct Field: Sendable, Hashable {
        /// The alias, or the name.
        package let responseKey: String
        /// The field's name in the schema.
        package let name: String
        /// The arguments, sorted by name.
        package let arguments: [Argument]
        /// The field's type with its lists and exclamation marks.
        package let type: FieldType
        /// The selection set; empty for a leaf.
        package let selections: [Item]

        /// The name of Relay's field for the data ID of a record.
        package static let dataID = "__id"
    }

    /// An argument of a field or a spread, or a member of an input object.
    package struct Argument: Sendable, Hashable {
        /// The argument's name in the schema.
        package let name: String
        /// The argument's value.
        package let value: Value
    }

    /// An input value that may contain variables.
    package indirect enum Value: Sendable, Hashable {
        case variable(String)
        case constant(JSONValue)
        case list([Value])
        case object([Argument])
    }

    /// A type reference of the schema (specification, section 3.4.1).
    package indirect enum FieldType: Sendable, Hashable {
        case named(NamedType)
        case list(FieldType)
        case nonNull(FieldType)
    }

    /// The named type inside the lists of a field's type, with the properties that the normalizer needs.
    package enum NamedType: Sendable, Hashable {
        case int
        case float
        case string
        case boolean
        case id
        case enumeration(String)
        case mappedScalar(String)
        case unmappedScalar(String)
        case object(String, implementsNode: Bool)
        /// `nodes` are the object types of this type that implement `Node`; empty unless only some of them do.
        case abstract(String, implementsNode: Bool, nodes: [String])

        /// True for objects, interfaces and unions, which have selections.
        package var isComposite: Bool {
            switch self {
            case .object, .abstract: true
            default: false
            }
        }
    }

    /// The variables that the operation declares, or the arguments that the fragment declares, in order.
    package let variables: [Variable]
    /// The directives of the whole plan.
    package let marks: Marks
    /// The root selection set.
    package let items: [Item]
}

extension SelectionPlan.FieldType {
    /// The named type inside all lists.
    package var named: SelectionPlan.NamedType {
        switch self {
        case .named(let type): type
        case .list(let type), .nonNull(let type): type.named
        }
    }
}

extension SelectionPlan {
    /// True if an argument, a condition or a mark depends on a variable, or on an argument of the fragment.
    package var usesVariables: Bool { items.contains { $0.usesVariables } }
}

extension SelectionPlan.Item {
    fileprivate var usesVariables: Bool {
        if condition != nil || marks.usesVariables { return true }
        return switch kind {
        case .field(let field):
            field.arguments.contains { $0.value.usesVariables } || field.selections.contains { $0.usesVariables }
        case .inline(_, let items): items.contains { $0.usesVariables }
        case .spread(_, let arguments, _): arguments.contains { $0.value.usesVariables }
        }
    }
}

extension SelectionPlan.Value {
    var usesVariables: Bool {
        switch self {
        case .variable: true
        case .constant: false
        case .list(let values): values.contains { $0.usesVariables }
        case .object(let members): members.contains { $0.value.usesVariables }
        }
    }
}
