extension LogEvent {
    /// A log event: an update or an invalidation uses a name that nothing else uses. Each name is reported once, and a
    /// second time if it resembles another name by then.
    public struct UnknownName: Sendable, Hashable {
        /// The unknown name.
        public enum Name: Sendable, Hashable {
            /// A field that no operation and no fragment in use selects, with the record on which it was used.
            case field(String, of: DataID)
            /// A record that the store does not hold. If nothing is near it, a response has deleted it that the store
            /// never held.
            case record(DataID)
            /// A connection that the store does not hold, while it holds connections with the same key or a similar
            /// one.
            case connection(DataID)
            /// A field that an update has written in an object of this type, and that no operation and no fragment in
            /// use selects. Whether the value is of the field's type is unknown. This is no mistake if only updates use
            /// the field, or if an operation will select it later.
            case uncheckedField(String, of: TypeName)
            /// A root field that the response has with other arguments than an update has given. Those that there are
            /// stand in ``LogEvent/UnknownName/near``, without values.
            case rootFieldArguments(String)

            /// The name without the record, because a field is reported once for all records.
            var withoutRecord: Name {
                if case .field(let name, _) = self { .field(name, of: "") } else { self }
            }
        }

        /// The unknown name.
        public let name: Name
        /// Similar names of fields, or identities of records; the nearest first. Empty for a record that resembles no
        /// other: nothing has fetched it yet, which may be right.
        public let near: [String]
    }
}

extension LogEvent.UnknownName: CustomStringConvertible {
    /// The unknown name and the similar ones, in one line for a person.
    public var description: String {
        let near = near.map { "'\($0)'" }.joined(separator: ", ")
        return switch name {
        case .field(let field, let id):
            "an update names the field '\(field)' of the record '\(id)', which no operation selects; near it: \(near)"
        case .uncheckedField(let field, let type):
            "an update writes the field '\(field)' of '\(type)', which no operation in use selects; its value was not checked"
        case .rootFieldArguments(let field):
            "an update reads the root field '\(field)' with arguments that the response does not have; there are: \(near)"
        case .connection(let id): "the connection '\(id)' is named, which is not in the store; there are: \(near)"
        case .record(let id):
            "the record '\(id)' is named, which is not in the store" + (near.isEmpty ? "" : "; near it: \(near)")
        }
    }
}
