// What makes an error. A network, an interceptor or a mock may throw any of them; an error of another type that one of
// these throws becomes `transport`.

extension RelayError {
    /// The request could not be sent, or its response did not arrive. Holds the error that the transport threw. A
    /// ``TransportError`` has advice for the person too, and may have another ``kind`` than the network.
    public static func transport(_ error: any Error) -> RelayError { RelayError(.transport(error)) }

    /// The server answered with a status that is not a success. `body` is the beginning of the response. `retryAfter`
    /// is the time that the server asks to wait before another request.
    public static func httpStatus(_ status: Int, body: String, retryAfter: Duration? = nil) -> RelayError {
        RelayError(.httpStatus(status, body: body, retryAfter: retryAfter))
    }

    /// The server answered with a content type that is not JSON. `body` is the beginning of the response.
    public static func contentType(_ type: String?, body: String) -> RelayError {
        RelayError(.contentType(type, body: body))
    }

    /// The response is not a GraphQL response for this operation: it is not JSON, not an object, or has a value in the
    /// wrong place. Nothing of the response was kept. ``RelayError/InvalidResponse/body`` is its beginning.
    public static func invalidResponse(_ error: RelayError.InvalidResponse) -> RelayError {
        RelayError(.invalidResponse(error))
    }

    /// The server answered without data, because of these errors.
    public static func noData(_ errors: [GraphQLError]) -> RelayError { RelayError(.noData(errors)) }

    /// The response has these errors, and its request has the error policy
    /// ``RequestConfiguration/ErrorPolicy/failure``. Nothing of the response was kept.
    public static func hasErrors(_ errors: [GraphQLError]) -> RelayError { RelayError(.hasErrors(errors)) }

    /// The transport ended without a response.
    public static var noResponse: RelayError { RelayError(.noResponse) }

    /// The request had no complete response within its ``RequestConfiguration/timeout``.
    public static func timedOut(after time: Duration) -> RelayError { RelayError(.timedOut(after: time)) }

    /// The configuration of the request needs an ability that its operation or network does not have, so nothing was
    /// sent. The text is a sentence for the person.
    public static func configuration(_ reason: String) -> RelayError { RelayError(.configuration(reason)) }

    /// The updater of a mutation threw this error, so nothing of the response was kept.
    public static func updater(_ error: any Error) -> RelayError { RelayError(.updater(error)) }

    /// The optimistic response of a mutation has a member that the mutation does not select, so nothing was sent.
    public static func optimisticResponse(_ error: RelayError.InvalidResponse) -> RelayError {
        RelayError(.optimisticResponse(error))
    }

    /// The request was cancelled before it had a response.
    public static var cancelled: RelayError { RelayError(.cancelled) }

    /// A variable is nested deeper than the limit, so nothing was sent.
    public static func variableTooDeep(operationName: String, variable: String, limit: Int) -> RelayError {
        RelayError(.variableTooDeep(operationName: operationName, variable: variable, limit: limit))
    }

    /// A fragment reference was used with another environment than its own, or after its environment was deinitialized.
    public static func foreignReference(fragment: String) -> RelayError {
        RelayError(.foreignReference(fragment: fragment))
    }

    /// A fragment was to be fetched again through a handle that has no reference, so the object is not known.
    public static func noReference(fragment: String) -> RelayError { RelayError(.noReference(fragment: fragment)) }

    /// A page was to be loaded through a handle before its first `get`, so the list is not known.
    public static func notAsked(component: String) -> RelayError { RelayError(.notAsked(component: component)) }

    /// The store does not have all of the data, and the policy is ``FetchPolicy/storeOnly``.
    public static func notInStore(component: String) -> RelayError { RelayError(.notInStore(component: component)) }

    /// The response to a mutation has no value for a non-null field, so there is no data to pass to the updater.
    public static func missingNonNullField(path: [JSONValue.PathComponent], component: String) -> RelayError {
        RelayError(.missingNonNullField(path: path, component: component))
    }

    /// A field with `@required(action: THROW)` is null or missing in the operation or fragment that was read.
    public static func missingRequiredField(path: [JSONValue.PathComponent], component: String) -> RelayError {
        RelayError(.missingRequiredField(path: path, component: component))
    }

    /// An operation or fragment with `@throwOnFieldError` has fields with these errors.
    public static func fieldErrors(_ errors: [FieldError]) -> RelayError { RelayError(.fieldErrors(errors)) }

    /// The data of the operation or fragment needs more memory than ``StoreOptions/resultSize``, so it was not read.
    public static func resultTooLarge(component: String, limit: Int) -> RelayError {
        RelayError(.resultTooLarge(component: component, limit: limit))
    }
}
