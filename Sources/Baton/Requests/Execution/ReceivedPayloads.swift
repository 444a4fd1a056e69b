/// The state that the payloads of one request leave for later payloads. It moves with the right to land, and is never
/// copied.
struct ReceivedPayloads: ~Copyable, Sendable {
    /// The state of a response in parts; nil for an operation without later parts.
    var delivery: IncrementalDelivery?
    private var responses = 0
    private var bytes = 0

    /// Begins a response. `arriving` gets the places that later parts will fill; nil for an operation without them.
    init(of operation: BoundOperation, filling arriving: ArrivingPlaces?) {
        delivery = arriving.flatMap { IncrementalDelivery(operation, filling: $0) }
    }

    mutating func count(_ response: NetworkResponse) {
        responses += 1
        bytes += response.body.count
    }

    /// The error of a stream that ends although other payloads should follow.
    var closedEarly: RelayError {
        .transport(RelayError.StreamError.closedEarly(responses: responses, bytes: bytes))
    }
}
