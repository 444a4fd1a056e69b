import BatonCompiler
import BatonDiagnostics

/// Asks a server for its schema.
///
/// Two requests are sent: one for what the server's introspection has, and one for everything of it. Each is sent again
/// after a failure that may pass, and to the target of a redirect if that has the same scheme, host and port.
package struct SchemaFetch {
    package var address: ServerAddress
    package var fields: [HeadField] = []
    /// The longest time for one attempt, with connecting and the whole answer.
    package var milliseconds = 30_000
    /// How often a request is sent again.
    package var retries = 2
    /// The path of a file with the certificates to trust; nil for those of the system.
    package var authorities: String?
    /// The variable of the environment that names a proxy, for messages.
    package var proxyVariable: String?
    var limits = ServerRequest.Limits()
    /// Waits for a number of seconds.
    private let pause: (Int) -> Void

    private static let mostRedirects = 5
    /// The longest pause before another attempt.
    private static let longestPause = 30

    package init(address: ServerAddress, pause: @escaping (Int) -> Void) {
        self.address = address
        self.pause = pause
    }

    /// The server's schema.
    package func schema() throws(FetchFailure) -> FetchedSchema {
        var address = address
        let features = try send(IntrospectionQuery.features, to: &address)
        let query = IntrospectionQuery(features: features.body)
        let answer = try send(query.text, to: &address)
        do throws(FetchedSchema.Problem) {
            return try FetchedSchema(answer.body)
        } catch {
            throw .make(error, answer, address)
        }
    }

    // MARK: - Requests

    /// The types of answers that are asked for.
    private var accept: String {
        fields.last { $0.name.lowercased() == "accept" }?.value ?? ServerRequest.accept
    }

    /// Sends a query until there is an answer that can be read. The address becomes that of the answer.
    private func send(_ query: String, to address: inout ServerAddress) throws(FetchFailure) -> ServerAnswer {
        var attempt = 0
        while true {
            do throws(FetchFailure) {
                let answer = try follow(query, to: &address)
                if let failure = SchemeSigns.failure(of: answer, address) { throw failure }
                if let failure = FetchFailure(answer, address, accept: accept) { throw failure }
                return answer
            } catch {
                guard error.isTransient, attempt < retries else { throw error }
                let seconds = error.pause ?? min(1 << min(attempt, 10), Self.longestPause)
                guard seconds <= Self.longestPause else { throw error }
                attempt += 1
                pause(seconds)
            }
        }
    }

    /// Sends a query once, and again to the targets of redirects.
    private func follow(_ query: String, to address: inout ServerAddress) throws(FetchFailure) -> ServerAnswer {
        var request = ServerRequest(
            address: address, fields: fields, body: Array("{\"query\":\(query.quoted(in: .request))}".utf8),
            milliseconds: milliseconds, authorities: authorities, proxyVariable: proxyVariable, limits: limits)
        for _ in 0...Self.mostRedirects {
            #if canImport(Darwin)
                let answer = try URLSessionClient.send(request)
            #else
                let answer = try CurlClient.send(request)
            #endif
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.fields["location"] else {
                return answer
            }
            guard let target = request.address.redirected(to: location) else {
                throw FetchFailure("the server redirects to '\(location.printable)', which is no URL of a server")
            }
            guard target.origin == request.address.origin else {
                throw FetchFailure(
                    "the server redirects to another one, '\(target.displayed)', which gets no request",
                    suggestion: "if that is the right one, fetch from there")
            }
            guard answer.status != 303 else {
                throw FetchFailure("the server redirects to a page, '\(target.displayed)'")
            }
            request.address = target
            address = target
        }
        throw FetchFailure("the server redirects more than \(Self.mostRedirects) times")
    }
}
