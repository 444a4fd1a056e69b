/// A selection plan as the compiler wrote it, before names are interned and variables have values.
///
/// The grammar is in the proposal "The contract between compiler and runtime".
package struct SelectionPlan: Sendable, Hashable {
    /// A variable of the operation and its default value.
    package struct Variable: Sendable, Hashable {
        package let name: String
        package let defaultValue: JSONValue?
    }

    /// One element of a selection set; its position is what generated code reads by.
    package struct Item: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case field(Field)
            /// A condition of nil is the type of the parent.
            case inline(TypeCondition?, [Item])
            case spread(name: String, TypeCondition?)
        }

        /// Nil: always.
        package let condition: Condition?
        package let kind: Kind
        package var marks = Marks.none
    }

    /// The fragments' `@skip` and `@include`: any of the conjunctions.
    package struct Condition: Sendable, Hashable {
        package struct Literal: Sendable, Hashable {
            package let variable: String
            package let isNegated: Bool
        }

        package let alternatives: [[Literal]]
    }

    package struct TypeCondition: Sendable, Hashable {
        package let type: String
        package let isAbstract: Bool
    }

    package struct Field: Sendable, Hashable {
        package let responseKey: String
        package let name: String
        package let arguments: [Argument]
        package let type: FieldType
        package let selections: [Item]
    }

    package struct Argument: Sendable, Hashable {
        package let name: String
        package let value: Value
    }

    /// An input value that may hold variables.
    package indirect enum Value: Sendable, Hashable {
        case variable(String)
        case constant(JSONValue)
        case list([Value])
        case object([Argument])
    }

    package indirect enum FieldType: Sendable, Hashable {
        case named(NamedType)
        case list(FieldType)
        case nonNull(FieldType)
    }

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

        package var isComposite: Bool {
            switch self {
            case .object, .abstract: true
            default: false
            }
        }
    }

    package let variables: [Variable]
    /// What concerns the plan as a whole.
    package let marks: Marks
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
