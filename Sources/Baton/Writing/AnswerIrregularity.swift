/// Something in an answer that breaks a specification, but does not keep the answer from being read.
public enum AnswerIrregularity: Sendable, Hashable {
    /// A text has an escape that is half of a surrogate pair and so no character (RFC 8259, section 8.2). It was read
    /// as U+FFFD.
    ///
    /// `path` names the first such field or list item in the body, from the root of `data`. It is empty outside `data`
    /// and in later parts of an answer.
    case loneSurrogate(path: [PathComponent])
    /// The member `path` or `locations` of an error does not follow the specification (section 7.1.2).
    ///
    /// In ``GraphQLError/path`` a component that is neither a response key nor an index is kept as a key. A location
    /// without line or column is reported only here.
    case malformedError(_ message: String, member: String, JSONValue)
}

extension AnswerIrregularity: CustomStringConvertible {
    /// The irregularity, in one line for a person.
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
    /// Adds the irregularity that a cursor has noted in a body, if any.
    mutating func note(_ cursor: JSONCursor, _ body: [UInt8]) {
        if cursor.loneSurrogate >= 0 { append(.loneSurrogate(path: JSONPath.find(cursor.loneSurrogate, in: body))) }
    }
}
