// The details of an error. Each is nil or empty where the error says nothing about it.

extension RelayError {
    /// The error of another layer that this error holds, if any: an error that a network, an interceptor or a closure
    /// of the application threw, or `CancellationError` for a task that was cancelled.
    ///
    ///     do { try await environment.fetch(FilmQuery(id: "1")) } catch {
    ///         if error.kind == .cancelled { return }
    ///         if error.underlying is Refused { showLogin() }      // what 'refresh' of the authentication threw
    ///     }
    public var underlying: (any Error)? {
        switch reason {
        case .transport(let error), .updater(let error): error
        case .cancelled: CancellationError()
        case .invalidResponse(let error), .optimisticResponse(let error): error
        case .noData(let errors), .hasErrors(let errors): errors.first
        case .fieldErrors(let errors): errors.first
        case .httpStatus, .contentType, .noResponse, .timedOut, .configuration, .variableTooDeep, .foreignReference,
            .noReference, .notAsked, .notInStore, .missingNonNullField, .missingRequiredField, .resultTooLarge:
            nil
        }
    }

    /// The errors that the server sent; empty for other failures.
    public var graphQLErrors: [GraphQLError] {
        switch reason {
        case .noData(let errors), .hasErrors(let errors): errors
        case .transport(RelayError.StreamError.refused(let errors)): errors
        case .fieldErrors(let errors):
            errors.compactMap { error in
                if case .server(let error) = error.reason { error } else { nil }
            }
        default: []
        }
    }

    /// The errors of the fields of an operation or fragment with `@throwOnFieldError`.
    public var fieldErrors: [FieldError] {
        if case .fieldErrors(let errors) = reason { errors } else { [] }
    }

    /// The mistake in a response, also in the optimistic one of a mutation.
    public var invalidResponse: InvalidResponse? {
        switch reason {
        case .invalidResponse(let error), .optimisticResponse(let error): error
        default: nil
        }
    }

    /// The HTTP status of ``Code/httpStatus``.
    public var status: Int? {
        if case .httpStatus(let status, _, _) = reason { status } else { nil }
    }

    /// The time that the server asks to wait before another request.
    public var retryAfter: Duration? {
        if case .httpStatus(_, _, let time) = reason { time } else { nil }
    }

    /// The content type of a response that is not JSON, if it has one.
    public var contentType: String? {
        if case .contentType(let type, _) = reason { type } else { nil }
    }

    /// The beginning of a response that is not a GraphQL response.
    public var body: String? {
        let text =
            switch reason {
            case .httpStatus(_, let body, _), .contentType(_, let body): body
            case .invalidResponse(let error): error.body
            default: ""
            }
        return text.isEmpty ? nil : text
    }

    /// The path of the field or list item that is missing or wrong, of the first if there are several.
    public var path: [JSONValue.PathComponent] {
        switch reason {
        case .missingNonNullField(let path, _), .missingRequiredField(let path, _): path
        case .invalidResponse(let error), .optimisticResponse(let error): error.path
        case .fieldErrors(let errors): errors.first?.path ?? []
        default: []
        }
    }

    /// The name of the operation or fragment that an error of the data or a misuse is about.
    public var component: String? {
        switch reason {
        case .foreignReference(let name), .noReference(let name), .notAsked(let name), .notInStore(let name): name
        case .missingNonNullField(_, let name), .missingRequiredField(_, let name): name
        case .resultTooLarge(let name, _), .variableTooDeep(let name, _, _): name
        case .fieldErrors(let errors): errors.first?.component
        default: nil
        }
    }

    /// The name of the variable of ``Code/variableTooDeep``.
    public var variable: String? {
        if case .variableTooDeep(_, let variable, _) = reason { variable } else { nil }
    }

    /// The limit that was exceeded: levels for ``Code/variableTooDeep``, bytes for ``Code/resultTooLarge``.
    public var limit: Int? {
        switch reason {
        case .variableTooDeep(_, _, let limit), .resultTooLarge(_, let limit): limit
        default: nil
        }
    }

    /// The time within which ``Code/timedOut`` had no complete response.
    public var timeout: Duration? {
        if case .timedOut(let time) = reason { time } else { nil }
    }
}
