extension Explanation {
    /// Explains the data of a handle: whether all selected fields are in the store, and which values cannot be shown.
    public struct OfData: Sendable, Hashable {
        /// The name of the operation or fragment.
        public let component: String
        /// How much of the data the store holds. The age is that of the operation's last fetch; nil for a fragment.
        public let availability: Availability
        /// The explanation of the missing or stale field; nil if there is none.
        public let cause: Explanation?
        /// The explanation of the field that links to the record of ``cause``; nil at the root.
        public let link: Explanation?
        /// The time of the operation's last fetch, since the environment was made; nil if it was not fetched, or for a
        /// fragment.
        public let fetchedAt: Duration?
        /// The parts that are not shown because a value in them is absent; the first eight, in reading order.
        ///
        /// A nullable field that is null is no hole. Fields of spread fragments are not examined; the handles of those
        /// fragments explain them.
        public let holes: [Hole]

        /// A part that is not shown, and the absent value that is the reason.
        public struct Hole: Sendable, Hashable {
            /// The reason why the value is absent.
            public enum Reason: Sendable, Hashable {
                /// The record was deleted.
                case deleted
                /// A non-null field, or a non-null item of its list, is null.
                case null
                /// The store lacks the field or the record.
                case missing
                /// The stored value is of another type, or the conversion of its scalar throws. This happens if a local
                /// update wrote the value before the type of the field was known. It also happens if a snapshot comes
                /// from a program with another conversion.
                case unfit
            }

            /// The part that is not shown.
            public enum Extent: Sendable, Hashable {
                /// The whole operation or fragment; its data is nil.
                case everything
                /// A field, which reads as nil.
                case field
                /// An item of a list, which reads as nil.
                case item
                /// An item that its list leaves out.
                case leftOutItem
                /// The fields under a type condition.
                case inlineFragment(TypeName)
            }

            /// The reason why the value is absent.
            public let reason: Reason
            /// The place of the absent value.
            public let place: FieldLocation
            /// The path of the part that is not shown: the value itself, or an object that encloses it.
            public let path: [JSONValue.PathComponent]
            /// The kind of part that is not shown.
            public let extent: Extent
            /// The explanation of the record or the field of the absent value.
            public let cause: Explanation
            /// The explanation of the field that links to the record of ``cause``; nil at the root.
            public let link: Explanation?
            /// The server's errors for the field.
            public let errors: [GraphQLError]
        }
    }
}

extension Explanation.OfData: CustomStringConvertible {
    /// The explanation in sentences for a person.
    public var description: String {
        var sentences: [String] = []
        // A value that is not of the field's type is not valid.
        let valid = holes.contains { $0.reason == .unfit } ? "" : ", and valid"
        let but = valid + (holes.isEmpty ? "" : ", but some of it cannot be shown")
        switch availability {
        case .available: sentences.append("All that '\(component)' asks for is in the store\(but).")
        case .stale(let reason):
            sentences.append("All that '\(component)' asks for is in the store, but it is stale: \(reason).")
        case .missing(let place): sentences.append("'\(component)' is missing data: \(place).")
        }
        if let cause { sentences.append(cause.description) }
        if let link { sentences.append("What leads there: \(link)") }
        for hole in holes {
            sentences.append(hole.consequence(in: component))
            if hole.cause != cause { sentences.append(hole.reasons) }
        }
        if let fetchedAt { sentences.append("The operation was fetched last at \(fetchedAt).") }
        return sentences.joined(separator: " ")
    }
}

extension Explanation.OfData.Hole: CustomStringConvertible {
    /// The explanation in sentences for a person.
    public var description: String { "\(consequence(in: place.typename?.rawValue ?? "it")) \(reasons)" }

    /// A sentence that names the part that is not shown.
    fileprivate func consequence(in component: String) -> String {
        let fallen = FieldLocation(path: path).description
        let value = FieldLocation(path: place.path).description
        let what =
            switch extent {
            case .everything: "Nothing of '\(component)' is shown"
            case .field, .item: "'\(fallen)' is nil"
            case .leftOutItem: "'\(fallen)' is left out of its list"
            case .inlineFragment(let type):
                path.isEmpty ? "The part on '\(type)' is nil" : "The part of '\(fallen)' on '\(type)' is nil"
            }
        // If only the value itself is not shown, it is named once.
        guard value != fallen, !value.isEmpty else { return "\(what)." }
        return "\(what), because '\(value)' must not be null."
    }

    /// Sentences that explain why the value is absent.
    fileprivate var reasons: String {
        var sentences = [cause.description]
        if reason == .unfit { sentences.append("That is no value of the field's type.") }
        sentences += errors.map { "The server said: \($0.message)" }
        if let link { sentences.append("What leads there: \(link)") }
        return sentences.joined(separator: " ")
    }
}
