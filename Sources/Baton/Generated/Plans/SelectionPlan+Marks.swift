extension SelectionPlan {
    /// The directives of a field, an inline fragment or a whole plan; empty for nearly all of them.
    package struct Marks: Sendable, Hashable {
        /// The reaction to a required field that is null or missing.
        package enum RequiredAction: String, Sendable, Hashable {
            case none = "NONE"
            case log = "LOG"
            case `throw` = "THROW"
        }

        /// The replacement for a field or fragment that has errors inside.
        package enum CatchTarget: String, Sendable, Hashable {
            /// The errors become a value, a ``FieldResult``.
            case result = "RESULT"
            /// The field or fragment becomes null.
            case null = "NULL"
        }

        /// A copy of a field that a field handler keeps under another key, made from the values of responses.
        package struct Handle: Sendable, Hashable {
            /// The name of the handler.
            package let name: String
            /// Tells this copy from other copies in the same record; the name of the field if empty.
            package let key: String
            /// The arguments of the field that are part of the copy's key.
            package let filters: [String]
            /// A value that is part of the copy's key beside the filters: a variable or a string.
            package var dynamicKey: Value?
        }

        /// A part of a response that arrives later, as `@defer` and `@stream` ask for.
        package struct Increment: Sendable, Hashable {
            /// True for `@stream`, whose parts are items of a list; false for `@defer`, whose part is the fields of a
            /// fragment.
            package let isStream: Bool
            /// The label of the part in the response; unique in its operation.
            package let label: String
            /// The name of a Boolean variable; if it is false, the part arrives with the first payload.
            package let condition: String?
            /// The number of items of a stream in the first payload, if the document gives it as a number.
            package let initialCount: Int?
        }

        /// The fields that identify the objects of a type.
        package struct Key: Sendable, Hashable {
            /// The name of the object type.
            package let type: String
            /// The names of the fields, in the order in which the identity has them.
            package let fields: [String]
            /// True if the value of the only field is the identity, without the name of the type.
            package let isGlobal: Bool
        }

        /// A change of connections or records that a directive of a mutation asks for.
        package struct Mutation: Sendable, Hashable {
            /// The directive.
            package enum Kind: String, Sendable, Hashable {
                case appendEdge
                case appendNode
                case deleteEdge
                case deleteRecord
                case prependEdge
                case prependNode
            }

            /// The directive.
            package let kind: Kind
            /// The data IDs of the connections; nil for `@deleteRecord`.
            package let connections: Value?
            /// The name of the type of new edges; nil unless nodes are added.
            package let edgeType: Value?
            /// The condition under which the change is made; nil if it always is.
            package var condition: Condition?
        }

        /// The age after which the value is stale.
        package var maxAge: Duration?
        /// The copy that a handler keeps of the field.
        package var handle: Handle?
        /// The change of connections or records that the field of a mutation's response asks for.
        package var mutation: Mutation?
        /// The part that arrives later: the items of a list, the fields of an inline fragment, or a field.
        package var increment: Increment?
        /// True for an inline fragment that is required: if its fields have no value, the enclosing object has none.
        package var isRequiredSet = false
        /// The reaction to a field without a value; nil if the field is not required.
        package var required: RequiredAction?
        /// The replacement if there are errors inside; nil if errors are not caught here.
        package var catches: CatchTarget?
        /// True for a field of the client's own schema, which responses do not bring.
        package var isClient = false
        /// The declaration of a type in the client's own schema.
        package struct ClientType: Sendable, Hashable {
            /// The kinds of declared types.
            package enum Kind: Sendable, Hashable {
                /// An object type of the server, which belongs to the named types of the client.
                case server
                /// An object type of the client, which belongs to the named types and to no others.
                case object
                /// An interface or union of the client, to which only those types belong that name it.
                case abstract
            }

            /// The name of the type.
            package let type: String
            /// The kind of the type.
            package let kind: Kind
            /// The names of the interfaces and unions that an object type belongs to.
            package let abstractTypes: [String]
        }

        /// The types of the client that the plan may meet.
        package var clientTypes: [ClientType] = []
        /// The types whose objects are identified by key fields.
        package var keys: [Key] = []
        /// True if an uncaught error inside fails the read.
        package var throwsOnFieldError = false

        /// No marks.
        package init() {}
        /// No marks.
        package static let none = Marks()
        /// True if there are no marks.
        package var isEmpty: Bool { self == .none }
    }
}

extension SelectionPlan.Marks {
    /// The place of the marks, which decides which marks are allowed.
    enum Position {
        case field
        case inline
        case spread
        case plan

        func allows(_ name: String) -> Bool {
            switch name {
            case "catch": self != .spread
            case "maxAge": self == .field || self == .plan
            case "connection", "handle", "stream", "required": self == .field
            case "client": self != .plan
            case _ where SelectionPlan.Marks.Mutation.Kind(rawValue: name) != nil: self == .field
            case "defer": self != .plan
            case "throwOnFieldError", "keys", "clientTypes": self == .plan
            default: false
            }
        }
    }

    var usesVariables: Bool {
        if case .variable? = handle?.dynamicKey { return true }
        return increment?.condition != nil || mutation?.connections?.usesVariables == true
            || mutation?.edgeType?.usesVariables == true || mutation?.condition != nil
    }
}
