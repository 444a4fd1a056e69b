extension JSONValue {
    /// The error of a text that is not JSON.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// A text that names the expected JSON, or the limit that was exceeded.
        public let detail: String
        /// The position in bytes, from 0.
        public let offset: Int

        /// The detail and the position in one line for a person.
        public var description: String { "\(detail) at byte \(offset)" }
    }
}

extension JSONValue.ParseError {
    init(_ failure: JSONFailure) {
        offset = failure.offset
        switch failure.reason {
        case .notJSON(let detail): self.detail = detail
        case .tooDeep(let limit): detail = "more than \(limit) levels"
        default: detail = "not JSON"
        }
    }
}
