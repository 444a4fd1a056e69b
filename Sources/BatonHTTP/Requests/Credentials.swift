import Baton

extension Credentials {
    /// The error without the values of the credentials. Texts of the server are cut to a bounded length.
    func struck(from error: any Error) -> any Error {
        switch error {
        case let error as RelayError: bounded(error)
        case HTTPError.redirectRefused(let status, let location):
            HTTPError.redirectRefused(status: status, location: struck(from: location).cut(to: 500))
        case HTTPError.notAcceptable(let accept, let body):
            HTTPError.notAcceptable(accept: struck(from: accept).cut(to: 500), body: struck(from: body))
        case HTTPError.charset(let name): HTTPError.charset(struck(from: name).cut(to: 100))
        case RelayError.StreamError.refused(let errors): RelayError.StreamError.refused(struck(from: errors))
        case let error as WebSocketError: struck(from: error)
        default: error
        }
    }

    private func bounded(_ error: RelayError) -> RelayError {
        switch error.reason {
        case .contentType(let type, let body):
            .contentType(type.map { struck(from: $0).cut(to: 200) }, body: struck(from: body))
        case .transport(let error): .transport(struck(from: error))
        default: struck(from: error)
        }
    }

    private func struck(from error: WebSocketError) -> WebSocketError {
        switch error {
        case .closed(let code, let reason): .closed(code: code, reason: struck(from: reason))
        case .refused(let message): .refused(struck(from: message))
        case .unknownSubprotocol(let name): .unknownSubprotocol(name.map { struck(from: $0) })
        case .outcomeUnknown(let cause): .outcomeUnknown(cause: struck(from: cause))
        default: error
        }
    }
}

extension SentCredentials {
    /// Adds the texts in the payload with which a connection begins, and the header fields of its handshake.
    func add(_ payload: JSONValue?, _ headers: HTTPHeaders) {
        var fields: [String: String] = [:]
        // A further value of a name gets another name, which no header field can have.
        func add(_ name: String, _ value: String) {
            fields[fields[name] == nil ? name : "\(name) \(fields.count)"] = value
        }
        for field in headers.fields { add(field.name, field.value) }
        // The payload comes from the application and may be nested to any depth.
        var rest: [(name: String, value: JSONValue)] = payload.map { [("", $0)] } ?? []
        while let (name, value) = rest.popLast() {
            switch value {
            case .string(let text): add(name, text)
            case .array(let values): rest += values.map { (name, $0) }
            case .object(let members): rest += members.map { ($0.name, $0.value) }
            case .null, .bool, .int, .double: break
            }
        }
        self.add(fields)
    }
}
