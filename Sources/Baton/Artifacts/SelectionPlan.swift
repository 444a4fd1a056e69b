/// A selection plan as the compiler wrote it, before names are interned and variables have values.
///
/// The grammar is in the proposal "The contract between compiler and runtime".
package struct SelectionPlan: Sendable, Hashable {
    /// A variable of the operation and its default value.
    package struct Variable: Sendable, Hashable {
        /// The name, without `$`.
        package let name: String
        /// What counts if it is left out; nil: it then has no value, which is not null.
        package let defaultValue: JSONValue?
    }

    /// One element of a selection set; its position is what generated code reads by.
    package struct Item: Sendable, Hashable {
        /// What an element of a selection set selects.
        package enum Kind: Sendable, Hashable {
            case field(Field)
            /// A condition of nil is the type of the parent.
            case inline(TypeCondition?, [Item])
            case spread(name: String, TypeCondition?)
        }

        /// Nil: always.
        package let condition: Condition?
        /// What it selects.
        package let kind: Kind
        /// What its directives ask for.
        package var marks = Marks.none
    }

    /// The fragments' `@skip` and `@include`: any of the conjunctions.
    package struct Condition: Sendable, Hashable {
        /// A Boolean variable or its opposite.
        package struct Literal: Sendable, Hashable {
            /// The name of the variable, without `$`.
            package let variable: String
            /// It must be false, as in `@skip`.
            package let isNegated: Bool
        }

        /// It holds if all literals of one of them do.
        package let alternatives: [[Literal]]
    }

    /// The type that an object must have for an inline fragment or a spread to count.
    package struct TypeCondition: Sendable, Hashable {
        /// The name of an object type, an interface or a union.
        package let type: String
        /// It is an interface or a union, so answers have to show which objects belong to it.
        package let isAbstract: Bool
    }

    /// A field with its arguments and what is selected below it.
    package struct Field: Sendable, Hashable {
        /// The alias, or the name.
        package let responseKey: String
        /// The name in the schema.
        package let name: String
        /// Sorted by name.
        package let arguments: [Argument]
        /// The type with its lists and exclamation marks.
        package let type: FieldType
        /// What is selected of the object; empty for a leaf.
        package let selections: [Item]
    }

    /// An argument of a field, or a member of an input object.
    package struct Argument: Sendable, Hashable {
        /// The name in the schema.
        package let name: String
        /// What it is given.
        package let value: Value
    }

    /// An input value that may hold variables.
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

    /// What stands inside the lists of a field's type, with what the writer has to know of it.
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
        /// `nodes`: those of its object types that implement `Node` if only some do.
        case abstract(String, implementsNode: Bool, nodes: [String])

        /// True for objects, interfaces and unions, which have selections.
        package var isComposite: Bool {
            switch self {
            case .object, .abstract: true
            default: false
            }
        }
    }

    /// The variables that the operation declares, in order; none in a plan of a fragment.
    package let variables: [Variable]
    /// What concerns the plan as a whole.
    package let marks: Marks
    /// The root selection set.
    package let items: [Item]
}

extension SelectionPlan.FieldType {
    /// The type inside every list.
    package var named: SelectionPlan.NamedType {
        switch self {
        case .named(let type): type
        case .list(let type), .nonNull(let type): type.named
        }
    }
}

extension SelectionPlan {
    /// Says whether an argument or a condition depends on the operation.
    package var usesVariables: Bool { items.contains { $0.usesVariables } }
}

extension SelectionPlan.Item {
    fileprivate var usesVariables: Bool {
        if condition != nil || marks.usesVariables { return true }
        return switch kind {
        case .field(let field):
            field.arguments.contains { $0.value.usesVariables } || field.selections.contains { $0.usesVariables }
        case .inline(_, let items): items.contains { $0.usesVariables }
        case .spread: false
        }
    }
}

extension SelectionPlan.Value {
    fileprivate var usesVariables: Bool {
        switch self {
        case .variable: true
        case .constant: false
        case .list(let values): values.contains { $0.usesVariables }
        case .object(let members): members.contains { $0.value.usesVariables }
        }
    }
}
