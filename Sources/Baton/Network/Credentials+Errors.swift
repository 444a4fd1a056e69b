// Removes credentials from the texts of a response that a log shows. The errors that the application gets are not
// changed, because a program may look for a text in them.

extension Credentials {
    package func struck(from error: GraphQLError) -> GraphQLError {
        var error = error
        error.message = struck(from: error.message)
        error.path = error.path?.map(struck(from:))
        error.extensions = error.extensions.map(struck(from:))
        error.otherMembers = Dictionary(
            error.otherMembers.map { (struck(from: $0.key), struck(from: $0.value)) }, uniquingKeysWith: { $1 })
        return error
    }

    package func struck(from errors: [GraphQLError]) -> [GraphQLError] {
        isEmpty ? errors : errors.map(struck(from:))
    }

    package func struck(from error: RelayError) -> RelayError {
        guard !isEmpty else { return error }
        return switch error.reason {
        case .noData(let errors): .noData(struck(from: errors))
        case .hasErrors(let errors): .hasErrors(struck(from: errors))
        case .transport(RelayError.StreamError.refused(let errors)):
            .transport(RelayError.StreamError.refused(struck(from: errors)))
        case .invalidResponse(let error): .invalidResponse(struck(from: error))
        case .httpStatus(let status, let body, let time):
            .httpStatus(status, body: struck(from: body), retryAfter: time)
        case .contentType(let type, let body): .contentType(type.map(struck(from:)), body: struck(from: body))
        default: error
        }
    }

    package func struck(from error: RelayError.InvalidResponse) -> RelayError.InvalidResponse {
        guard !isEmpty else { return error }
        var error = error
        error.body = struck(from: error.body)
        error.serverMessages = error.serverMessages.map(struck(from:))
        switch error.reason {
        case .unexpectedValue(let expected, let found):
            error.reason = .unexpectedValue(expected: expected, found: struck(from: found))
        case .conversionFailed(let scalar, let message):
            error.reason = .conversionFailed(scalar: scalar, message: struck(from: message))
        default: break
        }
        return error
    }

    package func struck(from irregularity: LogEvent.Irregularity) -> LogEvent.Irregularity {
        switch irregularity {
        case .malformedError(let message, let member, let value):
            .malformedError(struck(from: message), member: member, struck(from: value))
        case .longError(let message, let bytes): .longError(struck(from: message), bytes: bytes)
        case .loneSurrogate(let path): .loneSurrogate(path: path.map(struck(from:)))
        case .tooManyErrors: irregularity
        }
    }

    private func struck(from component: JSONValue.PathComponent) -> JSONValue.PathComponent {
        if case .key(let key) = component { .key(struck(from: key)) } else { component }
    }

    /// Returns the value with all its texts struck. The recursion is bounded by the greatest depth of responses.
    private func struck(from value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(struck(from: text))
        case .array(let values): .array(values.map(struck(from:)))
        case .object(let members): .object(members.map { .init(struck(from: $0.name), struck(from: $0.value)) })
        case .null, .bool, .int, .double: value
        }
    }
}
