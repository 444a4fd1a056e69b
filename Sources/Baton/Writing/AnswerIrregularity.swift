/// Something in an answer that is not as the specifications demand, and that was read nevertheless.
public enum AnswerIrregularity: Sendable, Hashable {
    /// A text holds half of a surrogate pair as an escape, which is no character (RFC 8259, section 8.2); it was read
    /// as U+FFFD.
    ///
    /// Of several in one body the first is named, by the field or list item from the root of `data`; the path is empty
    /// outside `data`, and in later parts of an answer.
    case loneSurrogate(path: [PathComponent])
    /// A member of an error, `path` or `locations`, is not what the specification demands (section 7.1.2).
    ///
    /// In ``GraphQLError/path`` what is neither a response key nor a position is kept as a key. A location without line
    /// and column is only here.
    case malformedError(_ message: String, member: String, JSONValue)
}

extension AnswerIrregularity: CustomStringConvertible {
    /// What is odd, in one line for a person.
    public var description: String {
        switch self {
        case .loneSurrogate(let path):
            let place = path.isEmpty ? "" : " at \(path.map(\.description).joined(separator: "."))"
            return "a text\(place) holds half of a surrogate pair; it was read as U+FFFD"
        case .malformedError(let message, let member, let value):
            return "the '\(member)' of the error '\(message)' is not as GraphQL has it: \(value.text)"
        }
    }
}

extension [AnswerIrregularity] {
    /// Takes over what a cursor noted on its way through a body.
    mutating func note(_ cursor: JSONCursor, _ body: [UInt8]) {
        if cursor.loneSurrogate >= 0 { append(.loneSurrogate(path: JSONPath.find(cursor.loneSurrogate, in: body))) }
    }
}
