extension LogEvent {
    /// A part of a response that breaks a specification, but does not keep the response from being read.
    public enum Irregularity: Sendable, Hashable {
        /// A text has an escape that is half of a surrogate pair and so no character (RFC 8259, section 8.2). It was
        /// read as U+FFFD.
        ///
        /// `path` names the first such field or list item in the body, from the root of `data`. It is empty outside
        /// `data` and in later parts of a response.
        case loneSurrogate(path: [JSONValue.PathComponent])
        /// The member `path` or `locations` of an error does not follow the specification (section 7.1.2).
        ///
        /// In ``GraphQLError/path`` a component that is neither a response key nor an index is kept as a key. A
        /// location without line or column is reported only here.
        case malformedError(_ message: String, member: String, JSONValue)
        /// The response has this number of errors, of which only the first were kept: at most 1,000, with a megabyte of
        /// JSON together.
        case tooManyErrors(Int, kept: Int)
        /// An error has more than 65,536 bytes, the limit for one error. Only its message, a short path and short
        /// locations were kept; of the message at most 8,192 bytes.
        case longError(_ message: String, bytes: Int)
    }
}

extension LogEvent.Irregularity: CustomStringConvertible {
    /// The irregularity, in one line for a person.
    public var description: String {
        switch self {
        case .loneSurrogate(let path):
            let place = path.isEmpty ? "" : " at \(path.map(\.description).joined(separator: "."))"
            return "a text\(place) holds half of a surrogate pair; it was read as U+FFFD"
        case .malformedError(let message, let member, let value):
            return "the '\(member)' of the error '\(message.cut(to: 200))' is not as GraphQL has it: "
                + value.text.cut(to: 200)
        case .tooManyErrors(let count, let kept): return "the response has \(count) errors; the first \(kept) were kept"
        case .longError(let message, let bytes):
            return "the error '\(message.cut(to: 200))' has \(bytes) bytes; its message was kept"
        }
    }
}

extension [LogEvent.Irregularity] {
    /// Adds the irregularity that a cursor has noted in a body, if any.
    mutating func note(_ cursor: JSONCursor, _ body: [UInt8]) {
        if cursor.loneSurrogate >= 0 { append(.loneSurrogate(path: JSONPath.find(cursor.loneSurrogate, in: body))) }
    }
}
