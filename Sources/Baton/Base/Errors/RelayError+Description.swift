extension RelayError: CustomStringConvertible {
    /// The error in words for a developer, followed by ``advice`` if there is some, and by what the server said in
    /// place of a response.
    public var description: String {
        let advice = advice
        return outcome + (advice.isEmpty ? "" : " \(advice)") + quotation
    }

    /// What to do about it, as whole sentences for a person; empty if nothing can be said. It repeats no text of a
    /// server.
    public var advice: String {
        switch reason {
        case .transport(let error): (error as? any TransportError)?.advice ?? ""
        case .httpStatus(let status, _, let time):
            time.map { "Try again in \($0)." } ?? Self.advice(for: status)
        case .contentType: "Check that the URL is that of a GraphQL endpoint."
        case .invalidResponse(let error): error.advice
        case .timedOut: "Try again later."
        case .noResponse: "Try again."
        case .variableTooDeep: "Make it flatter."
        case .foreignReference: "Read it with the environment that fetched it, and keep that."
        case .noReference: "Give it one, or say which object is meant."
        case .notAsked: "Call 'get' first."
        case .notInStore: "Fetch it under another policy, or use 'read', which returns what there is."
        case .missingNonNullField: "Check that the client was generated from the server's schema."
        case .missingRequiredField: "Drop @required, or catch it above with @catch."
        case .fieldErrors(let errors) where errors.contains(where: \.isCaught):
            "'@catch(to: RESULT)' puts all of them into 'fieldErrors' in place of the data. To have the data "
                + "around them, catch them further inside."
        case .fieldErrors: "Catch it with @catch, or drop @throwOnFieldError."
        case .resultTooLarge:
            "Select fewer nested lists, ask for fewer items, or raise StoreOptions.resultSize."
        case .noData, .hasErrors, .configuration, .updater, .optimisticResponse, .cancelled: ""
        }
    }

    /// What became of the request or the read, in one sentence.
    private var outcome: String {
        switch reason {
        case .transport(let error as any TransportError):
            "\(error.outcome): \(error)."
        // An error of the application, of which nobody knows whether the request was sent.
        case .transport(let error):
            "The request failed: \(error)."
        case .httpStatus(let code, _, _):
            "The server answered with HTTP status \(code)."
        case .contentType(let type, _):
            "The server answered with \(type.map { "content of type '\($0)'" } ?? "content of no type"), not with JSON."
        case .invalidResponse(let error):
            "The response was not used: \(error)."
        case .noData(let errors) where errors.isEmpty:
            "The server answered without data and gave no reason."
        case .noData(let errors):
            "The server answered without data: \(errors.text)."
        case .hasErrors(let errors):
            "The response has errors, so it was not used: \(errors.text)."
        case .timedOut(let time):
            "The request had no response within \(time)."
        case .configuration(let reason):
            "The request was not sent: \(reason)"
        case .noResponse:
            "The connection ended before a response arrived."
        case .updater(let error):
            "The updater of the mutation failed, so its response was not kept: \(error)."
        case .optimisticResponse(let error):
            "The mutation was not sent, for its optimistic response is wrong: \(error)."
        case .cancelled:
            "The request was cancelled before it had a response."
        case .variableTooDeep(let operationName, let variable, let limit):
            "The variable '\(variable)' of '\(operationName)' is nested deeper than \(limit) levels, so nothing was sent."
        case .foreignReference(let fragment):
            "The reference to '\(fragment)' comes from another environment, or from one that is gone."
        case .noReference(let fragment):
            "'\(fragment)' was not fetched again, because its handle has no reference."
        case .notAsked(let component):
            "No page of '\(component)' was loaded, because nothing says where its list begins."
        case .notInStore(let component):
            "The store does not have all data of '\(component)', and the policy 'storeOnly' asks nobody else."
        case .missingNonNullField(let path, let component):
            "The response to '\(component)' has no value at '\(path.text)', which must not be null, so its "
                + "updater was not called and nothing was kept."
        case .missingRequiredField(let path, let component):
            "\(FieldError(.missingRequired, path: path, component: component))."
        case .fieldErrors(let errors):
            "\(errors.text)."
        case .resultTooLarge(let component, let limit):
            "The data of '\(component)' needs more than \(limit) bytes, so it was not read."
        }
    }

    /// What the server said in place of a response.
    private var quotation: String {
        switch reason {
        case .httpStatus(_, let body, _), .contentType(_, let body): body.isEmpty ? "" : " It said: \(body)"
        case .invalidResponse(let error): error.quotation
        default: ""
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
}
