import Baton
import BatonHTTP
import Testing

/// The kinds of the errors of transports, and what follows from them for outages and repetitions.
@Suite struct ErrorKindTests {
    static let errors: [(any TransportError, RelayError.Kind)] = [
        (HTTPError.timedOut(after: .seconds(1)), .network), (HTTPError.stalled(after: .seconds(1)), .network),
        (HTTPError.offline(reason: ""), .network), (HTTPError.nameNotFound(reason: ""), .network),
        (HTTPError.refused(reason: ""), .network), (HTTPError.tls(reason: ""), .network),
        (HTTPError.closed(reason: ""), .network), (HTTPError.failed(reason: ""), .network),
        (HTTPError.notHTTP, .network), (HTTPError.wrongScheme("ws", reason: ""), .network),
        (HTTPError.notWebSocket(reason: ""), .network), (HTTPError.emptyBody(status: 200), .network),
        (HTTPError.tooManyRedirects(3), .network),
        (HTTPError.redirectRefused(status: 302, location: ""), .network),
        (HTTPError.notAcceptable(accept: "", body: ""), .network), (HTTPError.bodyTooLarge(limit: 1), .data),
        (HTTPError.overrun(limit: 1), .data), (HTTPError.compression(reason: ""), .data),
        (HTTPError.charset("latin1"), .data), (HTTPError.unavailable(reason: ""), .misuse),
        (HTTPError.badURL(reason: ""), .misuse), (HTTPError.file(path: "", reason: ""), .misuse),
        (WebSocketError.closed(code: 1001, reason: ""), .network), (WebSocketError.refused(""), .network),
        (WebSocketError.unknownSubprotocol(nil), .network), (WebSocketError.invalidMessage(""), .data),
        (WebSocketError.messageTooLarge(limit: 1), .data), (WebSocketError.notOpened(after: .zero), .network),
        (WebSocketError.notAcknowledged(after: .zero), .network), (WebSocketError.unresponsive(after: .zero), .network),
        (WebSocketError.outcomeUnknown(cause: ""), .network), (WebSocketError.interrupted, .network),
        (WebSocketError.tooManyOperations(limit: 1), .misuse), (WebSocketError.notSupported(""), .misuse),
        (BatchError.notAnArray, .data), (BatchError.wrongCount(requests: 2, responses: 1), .data),
    ]

    @Test(arguments: errors.indices) func anErrorOfATransportHasAKind(_ index: Int) {
        let (error, kind) = Self.errors[index]
        #expect(RelayError.transport(error).kind == kind)
    }

    /// What the server can be asked again for never arrived. So an application that shows "offline" for the kind agrees
    /// with the interceptors.
    @Test func anOutageIsOfTheNetwork() {
        let others: [RelayError] = [
            .httpStatus(503, body: ""), .httpStatus(404, body: ""), .noResponse, .timedOut(after: .zero), .cancelled,
            .contentType(nil, body: ""), .noData([]), .hasErrors([]), .configuration(""),
            .invalidResponse(RelayError.InvalidResponse(.notAResponse)),
            .transport(RelayError.StreamError.closedEarly(responses: 1, bytes: 1)),
            .transport(RelayError.StreamError.refused([])),
            .transport(RelayError.StreamError.readerTooSlow(waiting: 1)),
        ]
        let all = others + Self.errors.map { .transport($0.0) }
        let outages = all.filter(ConnectivityInterceptor.isOutage)
        #expect(outages.count > 10 && outages.allSatisfy { $0.kind == .network })
        #expect(all.filter(RetryInterceptor.isTransient).allSatisfy { $0.kind == .network })
    }

    /// An error of a transport of the application's own that says that it has no prospect is not sent again.
    @Test func anErrorOfAnUnknownTransportMayHaveNoProspect() {
        struct Closed: TransportError {
            var kind: RelayError.Kind
            var advice: String { "" }
        }
        #expect(RetryInterceptor.isTransient(.transport(Closed(kind: .network))))
        #expect(!RetryInterceptor.isTransient(.transport(Closed(kind: .misuse))))
    }
}
