/// Why a handle shows what it shows: whether all that it asks for is there, and what of it cannot be shown.
public struct DataExplanation: Sendable, Hashable {
    /// The name of the operation or fragment.
    public let component: String
    /// What a check finds.
    public let finding: CheckEvent.Finding
    /// Why it is stale, if it is.
    public let staleness: Staleness?
    /// The missing field, or that which is stale; nil if nothing is.
    public let cause: Explanation?
    /// The field that leads to the record of ``cause``; nil at the root.
    public let link: Explanation?
    /// When the operation was fetched last, since the environment was made; nil if it was not, or for a fragment.
    public let fetchedAt: Duration?
    /// What is not shown because a value is not there without which it cannot be; the first eight, in reading order.
    ///
    /// Null in a field that may be null is no hole. What is selected through other fragments is not looked at: their
    /// handles explain that.
    public let holes: [Hole]

    /// Something that is not shown, and the value that is to blame.
    public struct Hole: Sendable, Hashable {
        /// Why the value is not there.
        public enum Reason: Sendable, Hashable {
            /// The record was deleted.
            case deleted
            /// A field, or an item of its list, is null that must not be.
            case null
            /// The store does not hold the field, or the record.
            case missing
            /// The store holds something of another type: a local update has written it.
            case unfit
        }

        /// What is not shown.
        public enum Extent: Sendable, Hashable {
            /// All of the operation or fragment: its data is nil.
            case everything
            /// A field, which is nil.
            case field
            /// An item of a list, which is nil.
            case item
            /// An item of a list that goes on without it.
            case leftOutItem
            /// The fields under a condition on a type.
            case inlineFragment(TypeName)
        }

        /// Why the value is not there.
        public let reason: Reason
        /// Where the value would be.
        public let place: FieldLocation
        /// Where that is what is not shown: the value itself, or what falls with it.
        public let path: [PathComponent]
        /// What is not shown.
        public let extent: Extent
        /// How the record, or the field of it, came to be what it is.
        public let cause: Explanation
        /// The field that leads to the record of ``cause``; nil at the root.
        public let link: Explanation?
        /// What the server said of the field.
        public let errors: [GraphQLError]
    }
}

extension DataExplanation: CustomStringConvertible {
    /// Plain sentences for a person.
    public var description: String {
        var sentences: [String] = []
        let but = holes.isEmpty ? "" : ", but some of it cannot be shown"
        switch finding {
        case .available: sentences.append("All that '\(component)' asks for is in the store, and valid\(but).")
        case .stale:
            sentences.append(
                "All that '\(component)' asks for is in the store, but it is stale: \(staleness?.description ?? "").")
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

extension DataExplanation.Hole: CustomStringConvertible {
    /// Plain sentences for a person.
    public var description: String { "\(consequence(in: place.typename?.rawValue ?? "it")) \(reasons)" }

    /// What is not shown, in a sentence.
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
        // Where nothing falls but the value itself, it need not be named twice.
        guard value != fallen, !value.isEmpty else { return "\(what)." }
        return "\(what), because '\(value)' must not be null."
    }

    /// Who is to blame, in sentences.
    fileprivate var reasons: String {
        var sentences = [cause.description]
        if reason == .unfit { sentences.append("That is no value of the field's type.") }
        sentences += errors.map { "The server said: \($0.message)" }
        if let link { sentences.append("What leads there: \(link)") }
        return sentences.joined(separator: " ")
    }
}
