/// The reason why a request or a read brought no data.
///
/// All layers use this one concrete type, so that a component can show and compare errors. Errors are equal if their
/// cases and associated values are equal. Underlying errors are equal if their types and descriptions are equal.
///
/// Every method that waits for a request throws this type. An error that another layer threw is held in a `RelayError`,
/// and ``underlying`` returns it: an error of the application, or `CancellationError` for a cancelled task.
///
/// An error is one reference. Otherwise each task that may fail would keep room for the largest of them, and generated
/// code would copy it.
public indirect enum RelayError: Error, Sendable {
    /// The request could not be sent, or its response did not arrive. Holds the error that the transport threw. A
    /// ``TransportError`` has advice for the person too.
    case transport(any Error)
    /// The server answered with a status that is not a success. `body` is the beginning of the response. `retryAfter`
    /// is the time that the server asks to wait before another request.
    case httpStatus(Int, body: String, retryAfter: Duration? = nil)
    /// The server answered with a content type that is not JSON. `body` is the beginning of the response.
    case contentType(String?, body: String)
    /// The response is not a GraphQL response for this operation: it is not JSON, not an object, or has a value in the
    /// wrong place. Nothing of the response was kept. ``RelayError/InvalidResponse/body`` is its beginning.
    case invalidResponse(RelayError.InvalidResponse)
    /// The server answered without data, because of these errors.
    case noData([GraphQLError])
    /// The response has these errors, and its request has the error policy
    /// ``RequestConfiguration/ErrorPolicy/failure``. Nothing of the response was kept.
    case hasErrors([GraphQLError])
    /// The transport ended without a response.
    case noResponse
    /// The request had no complete response within its ``RequestConfiguration/timeout``.
    case timedOut(after: Duration)
    /// The configuration of the request needs an ability that its operation does not have, so nothing was sent.
    case configuration(String)
    /// The updater of a mutation threw this error, so nothing of the response was kept.
    case updater(any Error)
    /// The optimistic response of a mutation has a member that the mutation does not select, so nothing was sent.
    case optimisticResponse(RelayError.InvalidResponse)
    /// There is no response yet. ``QueryResult/get()`` throws this error while a handle is loading; no request ends
    /// with it.
    case loading
    /// The request was cancelled before it had a response.
    case cancelled
    /// A variable is nested deeper than the limit, so nothing was sent.
    case variableTooDeep(operationName: String, variable: String, limit: Int)
    /// A fragment reference was used with another environment than its own, or after its environment was deinitialized.
    case foreignReference(fragment: String)
    /// A fragment was to be fetched again through a handle that has no reference, so the object is not known.
    case noReference(fragment: String)
    /// A page was to be loaded through a handle before its first `get`, so the list is not known.
    case notAsked(component: String)
    /// The store does not have all of the data, and the policy is ``FetchPolicy/storeOnly``.
    case notInStore(component: String)
    /// The response to a mutation has no value for a non-null field, so there is no data to pass to the updater.
    case missingNonNullField(path: [JSONValue.PathComponent], component: String)
    /// A field with `@required(action: THROW)` is null or missing in the operation or fragment that was read.
    case missingRequiredField(path: [JSONValue.PathComponent], component: String)
    /// An operation or fragment with `@throwOnFieldError` has fields with these errors.
    case fieldErrors([FieldError])
    /// The data of the operation or fragment needs more memory than ``StoreOptions/resultSize``, so it was not read.
    case resultTooLarge(component: String, limit: Int)
}

extension RelayError {
    /// The error of another layer that this error holds, if any: an error that a network, an interceptor or a closure
    /// of the application threw, or `CancellationError` for a task that was cancelled.
    ///
    ///     do { try await environment.fetch(FilmQuery(id: "1")) } catch {
    ///         if error.underlying is CancellationError { return }
    ///         if error.underlying is Refused { showLogin() }      // what 'refresh' of the authentication threw
    ///     }
    public var underlying: (any Error)? {
        switch self {
        case .transport(let error), .updater(let error): error
        case .cancelled: CancellationError()
        case .invalidResponse(let error), .optimisticResponse(let error): error
        case .noData(let errors), .hasErrors(let errors): errors.first
        case .fieldErrors(let errors): errors.first
        case .httpStatus, .contentType, .noResponse, .timedOut, .configuration, .loading, .variableTooDeep,
            .foreignReference, .noReference, .notAsked, .notInStore, .missingNonNullField, .missingRequiredField,
            .resultTooLarge:
            nil
        }
    }

    /// The errors that the server sent; empty for other failures.
    public var graphQLErrors: [GraphQLError] {
        switch self {
        case .noData(let errors), .hasErrors(let errors): return errors
        case .fieldErrors(let errors):
            return errors.compactMap { error in
                if case .server(let error) = error.reason { error } else { nil }
            }
        default: return []
        }
    }

    /// The same as `description`.
    public var localizedDescription: String { description }

    /// Converts any error of a transport.
    init(wrapping error: any Error) {
        self =
            switch error {
            case let error as RelayError: error
            case is CancellationError: .cancelled
            case let error as RelayError.InvalidResponse: .invalidResponse(error)
            default: .transport(error)
            }
    }
}

extension RelayError: Equatable {
    /// Returns true if both errors have the same case and parts. Errors of other modules are compared by type and text.
    public static func == (left: RelayError, right: RelayError) -> Bool {
        switch (left, right) {
        case (.transport(let left), .transport(let right)), (.updater(let left), .updater(let right)):
            type(of: left) == type(of: right) && String(describing: left) == String(describing: right)
        case (.httpStatus(let left, let leftBody, let leftTime), .httpStatus(let right, let rightBody, let rightTime)):
            left == right && leftBody == rightBody && leftTime == rightTime
        case (.contentType(let left, let leftBody), .contentType(let right, let rightBody)):
            left == right && leftBody == rightBody
        case (.invalidResponse(let left), .invalidResponse(let right)): left == right
        case (.optimisticResponse(let left), .optimisticResponse(let right)): left == right
        case (.noData(let left), .noData(let right)), (.hasErrors(let left), .hasErrors(let right)): left == right
        case (.timedOut(let left), .timedOut(let right)): left == right
        case (.configuration(let left), .configuration(let right)): left == right
        case (.noResponse, .noResponse), (.loading, .loading), (.cancelled, .cancelled): true
        case (
            .variableTooDeep(let left, let variable, let limit),
            .variableTooDeep(let right, let otherVariable, let otherLimit)
        ):
            left == right && variable == otherVariable && limit == otherLimit
        case (.foreignReference(let left), .foreignReference(let right)),
            (.noReference(let left), .noReference(let right)), (.notAsked(let left), .notAsked(let right)),
            (.notInStore(let left), .notInStore(let right)):
            left == right
        case (.missingRequiredField(let left, let component), .missingRequiredField(let right, let other)),
            (.missingNonNullField(let left, let component), .missingNonNullField(let right, let other)):
            left == right && component == other
        case (.fieldErrors(let left), .fieldErrors(let right)): left == right
        case (.resultTooLarge(let left, let limit), .resultTooLarge(let right, let other)):
            left == right && limit == other
        default: false
        }
    }
}

extension RelayError: CustomStringConvertible {
    /// The error in words, followed by advice for the person if there is some.
    public var description: String {
        switch self {
        case .transport(let error as any TransportError):
            "\(error.outcome): \(error)." + (error.advice.isEmpty ? "" : " \(error.advice)")
        // An error of the application, of which nobody knows whether the request was sent.
        case .transport(let error):
            "The request failed: \(error)."
        case .httpStatus(let code, let body, let time):
            "The server answered with HTTP status \(code). "
                + (time.map { "Try again in \($0)." } ?? Self.advice(for: code)) + Self.quote(body)
        case .contentType(let type, let body):
            "The server answered with \(type.map { "content of type '\($0)'" } ?? "content of no type"), not with JSON. "
                + "Check that the URL is that of a GraphQL endpoint.\(Self.quote(body))"
        case .invalidResponse(let error):
            "The response was not used: \(error). \(error.advice)"
        case .noData(let errors) where errors.isEmpty:
            "The server answered without data and gave no reason."
        case .noData(let errors):
            "The server answered without data: \(errors.text)."
        case .hasErrors(let errors):
            "The response has errors, so it was not used: \(errors.text)."
        case .timedOut(let time):
            "The request had no response within \(time). Try again later."
        case .configuration(let reason):
            "The request was not sent: \(reason)"
        case .noResponse:
            "The connection ended before a response arrived. Try again."
        case .updater(let error):
            "The updater of the mutation failed, so its response was not kept: \(error)."
        case .optimisticResponse(let error):
            "The mutation was not sent, for its optimistic response is wrong: \(error)."
        case .loading:
            "The data is on its way, or was not asked for yet. Show that, or wait for it."
        case .cancelled:
            "The request was cancelled before it had a response."
        case .variableTooDeep(let operationName, let variable, let limit):
            "The variable '\(variable)' of '\(operationName)' is nested deeper than \(limit) levels, so nothing was sent. "
                + "Make it flatter."
        case .foreignReference(let fragment):
            "The reference to '\(fragment)' comes from another environment, or from one that is gone. Read it "
                + "with the environment that fetched it, and keep that."
        case .noReference(let fragment):
            "'\(fragment)' was not fetched again, because its handle has no reference. Give it one, or say which object is meant."
        case .notAsked(let component):
            "No page of '\(component)' was loaded, because nothing says where its list begins. Call 'get' first."
        case .notInStore(let component):
            "The store does not have all data of '\(component)', and the policy 'storeOnly' asks nobody else. Fetch it "
                + "under another policy, or use 'read', which returns what there is."
        case .missingNonNullField(let path, let component):
            "The response to '\(component)' has no value at '\(path.text)', which must not be null, so its "
                + "updater was not called and nothing was kept. Check that the client was generated from the server's schema."
        case .missingRequiredField(let path, let component):
            "\(FieldError(.missingRequired, path: path, component: component)). Drop @required, or catch it above with @catch."
        case .fieldErrors(let errors) where errors.contains(where: \.isCaught):
            "\(errors.text). '@catch(to: RESULT)' puts all of them into 'fieldErrors' in place of the data. To have the data "
                + "around them, catch them further inside."
        case .fieldErrors(let errors):
            "\(errors.text). Catch it with @catch, or drop @throwOnFieldError."
        case .resultTooLarge(let component, let limit):
            "The data of '\(component)' needs more than \(limit) bytes, so it was not read. "
                + "Select fewer nested lists, ask for fewer items, or raise StoreOptions.resultSize."
        }
    }

    private static func advice(for code: Int) -> String {
        switch code {
        case 401, 403: "Check the credentials that the request carries."
        case 404: "Check the URL of the endpoint."
        case 408, 429, 500...: "Try again later."
        default: "Check what the server expects of a request."
        }
    }

    private static func quote(_ body: String) -> String {
        body.isEmpty ? "" : " It said: \(body)"
    }
}
