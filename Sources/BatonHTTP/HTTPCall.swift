import Baton
import Foundation

/// One request on its way through a network: its attempts, and the responses to the last attempt.
struct HTTPCall: Sendable {
    private let request: NetworkRequest
    private let network: HTTPNetwork
    private let watch: RequestWatch
    private let deliver: NetworkInterceptor.Deliver

    private static let maximumRedirects = 5
    /// The limits on bytes and time for reading what follows the last response.
    private static let largestRest = 4096
    private static let longestRest = Duration.seconds(1)

    init(
        _ request: NetworkRequest, _ network: HTTPNetwork, _ watch: RequestWatch,
        _ deliver: @escaping NetworkInterceptor.Deliver
    ) {
        self.request = request
        self.network = network
        self.watch = watch
        self.deliver = deliver
    }

    /// Sends the request and delivers its responses.
    ///
    /// With automatic persisted queries, the first message has a hash. The server may ask for a second message with the
    /// text.
    func run() async throws {
        if request.kind == .subscription { request.report(.connecting) }
        let headers = addingKey(to: try await headers())
        request.sentCredentials.add(headers)
        do {
            if let verdict = try await exchange(firstMessage(headers)) {
                try await exchange(secondMessage(after: verdict, headers))
            }
        } catch {
            throw explained(error, headers)
        }
    }

    /// The error that the caller gets: with a guess about the scheme, and without the values of credentials.
    @inline(never)
    private func explained(_ error: any Error, _ headers: [String: String]) -> any Error {
        Credentials(of: headers).struck(from: network.schemeGuess.explained(error))
    }

    /// Sends several requests as one, whose body is an array, and delivers the body of the response.
    ///
    /// Each request has its text, or else its id. Hashes of automatic persisted queries are not used.
    func run(together requests: [NetworkRequest]) async throws {
        let contents = try requests.map { request in
            if case .id(let shape) = network.documents {
                return RequestContent(request, .id(try Self.documentID(of: request), shape))
            }
            guard let text = request.text else {
                return RequestContent(request, .id(try Self.documentID(of: request), idShape))
            }
            return RequestContent(request, .text(text))
        }
        // One header cannot hold the keys of several mutations.
        let keyed = zip(contents, requests).map { content, request in
            network.idempotencyKeyHeader == nil ? content : content.adding(request.keyExtensions)
        }
        let headers = try await headers()
        for request in requests { request.sentCredentials.add(headers) }
        do { try await exchange(HTTPMessage(together: keyed, headers, to: network)) } catch {
            throw explained(error, headers)
        }
    }

    /// The headers of the network and of the caller. The caller's headers replace the network's headers of the same
    /// names, which are compared without regard to case.
    private func headers() async throws -> [String: String] {
        let headers = try await network.headers(request).joined
        if headers.isEmpty || request.configuration.headers.isEmpty {
            return headers.isEmpty ? request.configuration.headers : headers
        }
        return headers.filter { request.header($0.key) == nil }.merging(request.configuration.headers) { $1 }
    }

    /// The headers, and the idempotency key of a mutation, unless the caller or the network has set that header.
    private func addingKey(to headers: [String: String]) -> [String: String] {
        guard let key = request.idempotencyKey, let header = network.idempotencyKeyHeader else { return headers }
        let name = header.lowercased()
        guard !headers.keys.contains(where: { $0.lowercased() == name }) else { return headers }
        return headers.merging([header: key]) { old, _ in old }
    }

    /// The form of a document's id where the network sends texts.
    private var idShape: DocumentIDShape {
        if case .automatic = network.documents { .persistedQuery } else { .documentId }
    }

    private static func documentID(of request: NetworkRequest) throws -> String {
        guard let id = request.documentID else { throw RequestContent.withoutID(request) }
        return id
    }

    // MARK: - Messages

    // Work that does not suspend stands in functions of its own. Otherwise the task would keep room for its values all
    // the time.

    @inline(never)
    private func firstMessage(_ headers: [String: String]) throws -> HTTPMessage {
        switch network.documents {
        case .automatic(let hashOverGET, _):
            // A request with files has its text at once: an unknown hash would mean sending the files twice.
            guard let text = request.text, !network.remembered.isRefused, request.configuration.uploads.isEmpty
            else { fallthrough }
            let hash = network.remembered.hash(of: text, id: request.documentID)
            return try message(.id(hash, .persistedQuery), headers, overGET: hashOverGET, hashMayBeUnknown: true)
        case .text:
            if let text = request.text { return try message(.text(text), headers) }
            return try message(.id(try Self.documentID(of: request), idShape), headers)
        case .id(let shape):
            return try message(.id(try Self.documentID(of: request), shape), headers)
        }
    }

    /// The message after the one with the hash.
    @inline(never)
    private func secondMessage(after verdict: PersistedQueryVerdict, _ headers: [String: String]) throws -> HTTPMessage
    {
        guard case .automatic(_, let textOverGET) = network.documents, let text = request.text else {
            // A server reports an unknown hash only for a message with a hash.
            throw RelayError.noResponse
        }
        switch verdict {
        case .notFound:
            let hash = network.remembered.hash(of: text, id: request.documentID)
            return try message(.textWithHash(text, hash), headers, overGET: textOverGET)
        case .notSupported:
            network.remembered.refuse()
            return try message(.text(text), headers, overGET: textOverGET)
        }
    }

    private func message(
        _ document: RequestContent.Document, _ headers: [String: String], overGET: Bool = false,
        hashMayBeUnknown: Bool = false
    ) throws -> HTTPMessage {
        let isGET = request.configuration.context[UsesGET.self] ?? (network.useGETForQueries || overGET)
        return try HTTPMessage(
            request, document, headers, to: network, overGET: isGET, hashMayBeUnknown: hashMayBeUnknown)
    }

    // MARK: - One try

    /// Sends a message and delivers the responses. If the server does not know the hash of the message, nothing is
    /// delivered and the server's message about the hash is returned.
    @discardableResult
    private func exchange(_ message: HTTPMessage) async throws -> PersistedQueryVerdict? {
        let response = try await send(message)
        let incoming = try incoming(response, to: message)
        var body = response.body.makeAsyncIterator()
        while !incoming.isComplete {
            // A reader that is over may still hold the error that comes after its last responses.
            let piece: [UInt8]?
            do { piece = incoming.isOver ? nil : try await body.next() } catch {
                guard message.form != nil, incoming.isWhole(without: error) else { throw error }
                piece = nil
            }
            watch.progress()
            for received in try incoming.take(piece) {
                if let verdict = incoming.verdict(of: received) { return verdict }
                try await hand(received)
                if !received.hasNext {
                    if !incoming.isComplete || incoming.isOver { readRest(of: response.body) }
                    return nil
                }
            }
        }
        return nil
    }

    /// Reads the bytes after the last response, such as the end of a multipart body, so that the connection can be used
    /// again. No caller waits for these bytes. The connection is closed if there are many bytes, or none for a long
    /// time.
    @inline(never)
    private func readRest(of body: HTTPPieces) {
        guard request.kind != .subscription else { return }
        RequestScope.$owner.withValue(nil) {
            _ = Task {
                let late = CancellationError()
                try await Deadline.run(within: Self.longestRest, on: ContinuousClock(), orThrow: late) {
                    var bytes = 0
                    for try await piece in body {
                        bytes += piece.count
                        if bytes > Self.largestRest { return }
                    }
                }
            }
        }
    }

    /// Makes the reader of the responses to a message.
    @inline(never)
    private func incoming(_ response: HTTPResponse, to message: HTTPMessage) throws -> IncomingResponses {
        let incoming = try IncomingResponses(response, to: message, request.kind, limit: network.maximumBodySize)
        if incoming.areStreamed, request.kind == .subscription {
            try watch.answered()
            request.report(.connected)
            request.note(.opened)
        }
        return incoming
    }

    private func hand(_ response: NetworkResponse) async throws {
        try watch.answered()
        try await watch.delivering { try await deliver(response) }
    }

    // MARK: - Redirects

    /// Sends a message, and sends it again to the targets of redirects.
    private func send(_ message: HTTPMessage) async throws -> HTTPResponse {
        var target = message.request.url
        for _ in 0...Self.maximumRedirects {
            try Task.checkCancellation()
            watch.asks()
            let response = try await network.transport.send(request(message, to: target))
            watch.begins()
            if response.status < 400 { network.noteResponse() }
            guard let next = try redirect(response, from: target, message.request.method) else { return response }
            target = next
        }
        throw HTTPError.tooManyRedirects(Self.maximumRedirects)
    }

    @inline(never)
    private func request(_ message: HTTPMessage, to target: URL) -> HTTPRequest {
        var outgoing = message.request
        outgoing.url = target
        if let form = message.form {
            let progress = request.configuration.context[UploadProgress.self]
            let pieces = form.pieces { [watch] sent in
                watch.progress()
                progress?(sent, form.length)
            }
            outgoing.body = .pieces(pieces, length: form.length)
        }
        return outgoing
    }

    /// The target of a redirect; nil if the response is not a redirect.
    @inline(never)
    private func redirect(_ response: HTTPResponse, from url: URL, _ method: HTTPRequest.Method) throws -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
            return nil
        }
        let target = URL(string: location, relativeTo: url)?.absoluteURL
        guard method == .get || response.status >= 307, let target, Origin(target) == Origin(network.url) else {
            throw HTTPError.redirectRefused(status: response.status, location: Self.withoutSecrets(location))
        }
        return target
    }

    /// A location without its user, its query and its fragment, which may hold secrets.
    private static func withoutSecrets(_ location: String) -> String {
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let authority = path.firstRange(of: "//") else { return String(path) }
        let end = path[authority.upperBound...].firstIndex(of: "/") ?? path.endIndex
        guard let user = path[authority.upperBound..<end].lastIndex(of: "@") else { return String(path) }
        return String(path[..<authority.upperBound] + path[path.index(after: user)...])
    }
}

/// Scheme, host and port of a URL; credentials are sent to one origin only.
private struct Origin: Equatable {
    let scheme: String?
    let host: String?
    let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
