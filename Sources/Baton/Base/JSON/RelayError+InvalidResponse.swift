extension RelayError {
    /// The reason why a response could not be written into the store. The store stays as it was.
    public struct InvalidResponse: Error, Sendable, Hashable {
        /// A kind of mistake in a response.
        public enum Reason: Sendable, Hashable {
            /// The body is not JSON (RFC 8259): truncated, malformed, not UTF-8. The text says what was expected.
            case notJSON(String)
            /// The body is JSON, but not an object with `data` or `errors`.
            case notAResponse
            /// Arrays and objects are nested deeper than the limit.
            case tooDeep(limit: Int)
            /// A value does not fit the type of its field.
            case unexpectedValue(expected: String, found: String)
            /// A field or list item of a non-null type is null.
            case unexpectedNull(expected: String)
            /// An object of an interface or union type came without its `__typename`.
            case missingTypename(expected: String)
            /// An optimistic response has a member, given by its response key, that the operation does not select at
            /// that place. `near` are selected keys with similar spelling.
            case notSelected(String, near: [String])
            /// An object in an optimistic response, given by the path, came without the ID, given by its response key,
            /// that the operation selects. It would become a second record beside the one that it stands for.
            case missingID(String)
            /// The conversion of a custom scalar threw an error, given as text.
            case conversionFailed(scalar: String, message: String)
            /// A later part of the response is malformed, or the operation has no place for it. The text tells the two
            /// cases apart.
            case unusablePart(String)
            /// The response has more parts than ``StoreOptions/IncrementalLimits/parts``.
            case tooManyParts(limit: Int)
            /// The payloads of the response have more bytes than ``StoreOptions/IncrementalLimits/bytes``.
            case partsTooLarge(limit: Int)
            /// The plan marks a field with `@handle`, but the store's options have no ``FieldHandler`` of that name.
            /// The field is given by its storage key.
            case noHandler(name: String, field: String)
            /// The plan in the generated code is malformed, because a compiler of another version wrote it.
            case unusablePlan(String)
        }

        /// The mistake.
        public var reason: Reason
        /// The path of the field or list item from the root of `data`; empty if the error is outside `data`.
        public var path: [JSONValue.PathComponent]
        /// The byte offset in the body, from 0.
        public var offset: Int
        /// The beginning of the body, at most 500 bytes; empty if the error does not come from a request.
        public var body = ""
        /// The messages of the first ten `errors` that the server sent in the same response; empty if the body is not
        /// JSON.
        public var serverMessages: [String] = []

        /// Puts together an error.
        public init(_ reason: Reason, path: [JSONValue.PathComponent] = [], offset: Int = 0) {
            self.reason = reason
            self.path = path
            self.offset = offset
        }
    }
}

extension RelayError.InvalidResponse {
    private static let quotedBytes = 500

    /// Returns the same error with the beginning of the body.
    func quoting(_ body: [UInt8]) -> RelayError.InvalidResponse {
        var error = self
        error.body = String(decoding: body.prefix(Self.quotedBytes), as: UTF8.self)
        return error
    }

    /// The server's messages, or the beginning of the body if the body was no response: what follows the advice.
    var quotation: String {
        let quote =
            switch reason {
            case .notJSON, .notAResponse: body.isEmpty ? "" : " It said: \(body)"
            default: ""
            }
        return serverMessages.isEmpty ? quote : "\(quote) The server said: \(serverMessages.joined(separator: "; "))"
    }

    /// Advice about the error, as whole sentences.
    var advice: String {
        switch reason {
        case .notJSON:
            "Check that the URL is that of a GraphQL endpoint, and that nothing on the way cuts or changes responses."
        case .notAResponse: "Check that the URL is that of a GraphQL endpoint."
        case .tooDeep: "Select fewer levels, or ask the server for less in custom scalars and extensions."
        case .unexpectedValue, .unexpectedNull, .missingTypename:
            "Check that the client was generated from the server's schema."
        case .notSelected: "Name only what the operation selects."
        case .missingID: "Give the ID of the object that the server will answer with, or any other if it is new."
        case .conversionFailed: "Check that the conversion takes what the server sends."
        case .unusablePart: "Check how the server delivers responses in parts."
        case .tooManyParts, .partsTooLarge:
            "Check that the server ends the response, or raise 'incrementalLimits' in the store's options."
        case .noHandler: "Add the handler, or take '@handle' away."
        case .unusablePlan: "Nothing that the server sends can be used until then."
        }
    }
}

extension RelayError.InvalidResponse: CustomStringConvertible {
    /// The mistake in the response, with the path and the position in bytes; one line for a person.
    public var description: String {
        let place = path.isEmpty ? "byte \(offset)" : "\(Self.text(path)) (byte \(offset))"
        return switch reason {
        case .notJSON(let detail): "the response is not JSON: \(detail) at \(place)"
        case .notAResponse: "the response is not a GraphQL response: an object with 'data' or 'errors' was expected"
        case .tooDeep(let limit): "the response is nested deeper than \(limit) levels at \(place)"
        case .unexpectedValue(let expected, let found): "expected \(expected), found \(found) at \(place)"
        case .unexpectedNull(let expected): "expected \(expected), found null at \(place)"
        case .missingTypename(let expected): "an object of type \(expected) came without '__typename' at \(place)"
        case .notSelected(let name, let near):
            "the operation does not select '\(name)' \(path.count > 1 ? "at \(Self.text(path.dropLast()))" : "at its root")"
                + (near.isEmpty ? "" : "; it selects \(near.map { "'\($0)'" }.joined(separator: ", "))")
        case .missingID(let key):
            "an object came without '\(key)', which the operation selects, so it would be a second record: \(Self.text(path))"
        case .conversionFailed(let scalar, let message): "the conversion of \(scalar) failed at \(place): \(message)"
        case .unusablePart(let detail): "a later part of the response was not used: \(detail) (byte \(offset))"
        case .tooManyParts(let limit): "the response came in more than \(limit) parts"
        case .partsTooLarge(let limit): "the parts of the response have more than \(limit) bytes"
        case .noHandler(let name, let field):
            "the field '\(field)' has the handler '\(name)', which is not among the 'fieldHandlers' of the store's options"
        case .unusablePlan(let detail):
            "the generated code does not fit this version of Baton (\(detail)); run 'baton compile' again"
        }
    }

    private static func text(_ path: [JSONValue.PathComponent]) -> String {
        path.map(\.description).joined(separator: ".")
    }
}
