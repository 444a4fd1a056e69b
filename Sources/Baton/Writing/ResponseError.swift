/// Why the body of an answer could not be written into the store, which it left as it was.
public struct ResponseError: Error, Sendable, Hashable {
    /// What was wrong.
    public enum Reason: Sendable, Hashable {
        /// The body is not JSON (RFC 8259): truncated, malformed, not UTF-8. The text says what was expected.
        case notJSON(String)
        /// The body is JSON, but not an object with `data` or `errors`.
        case notAResponse
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// A value does not fit the type of its field.
        case unexpectedValue(expected: String, found: String)
        /// A field or list item whose type is not null is null.
        case unexpectedNull(expected: String)
        /// An object of an interface or union came without its type.
        case missingTypename(expected: String)
        /// The conversion of a custom scalar threw an error, given as text.
        case conversionFailed(scalar: String, message: String)
        /// A later part of the answer is malformed, or the operation has no place for it; the text says which.
        case unusablePart(String)
        /// The plan marks a field with `@handle`, and the store's options have no ``FieldHandler`` of that name; the field is given by its storage key.
        case noHandler(name: String, field: String)
        /// The plan in the generated code is malformed: it was not written by a compiler of this version.
        case unusablePlan(String)
    }

    /// What was wrong.
    public var reason: Reason
    /// The field or list item, from the root of `data`; empty where the trouble is outside `data`.
    public var path: [PathComponent]
    /// The position in the body in bytes, from 0.
    public var offset: Int

    /// Puts together an error.
    public init(_ reason: Reason, path: [PathComponent] = [], offset: Int = 0) {
        self.reason = reason
        self.path = path
        self.offset = offset
    }
}

extension ResponseError: CustomStringConvertible {
    /// What was wrong with the answer, with the path and the position in bytes; one line for a person.
    public var description: String {
        let place =
            path.isEmpty ? "byte \(offset)" : "\(path.map(\.description).joined(separator: ".")) (byte \(offset))"
        return switch reason {
        case .notJSON(let detail): "the answer is not JSON: \(detail) at \(place)"
        case .notAResponse: "the answer is not a GraphQL response: an object with 'data' or 'errors' was expected"
        case .tooDeep(let limit): "the answer is nested deeper than \(limit) levels at \(place)"
        case .unexpectedValue(let expected, let found): "expected \(expected), found \(found) at \(place)"
        case .unexpectedNull(let expected): "expected \(expected), found null at \(place)"
        case .missingTypename(let expected): "an object of type \(expected) came without '__typename' at \(place)"
        case .conversionFailed(let scalar, let message): "the conversion of \(scalar) failed at \(place): \(message)"
        case .unusablePart(let detail): "a later part of the answer was not used: \(detail) (byte \(offset))"
        case .noHandler(let name, let field):
            "the field '\(field)' has the handler '\(name)', which is not among the 'fieldHandlers' of the store's options"
        case .unusablePlan(let detail):
            "the generated code does not fit this version of Baton (\(detail)); run 'baton compile' again"
        }
    }
}
