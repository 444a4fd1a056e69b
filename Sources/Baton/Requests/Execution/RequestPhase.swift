/// The phase of a request.
///
/// A payload that lands moves the received payloads out of the phase, and so does the end of the request. Therefore
/// only one caller ends the request: its task, or the code that gives it up. A network that continues afterwards is
/// ignored.
enum RequestPhase: ~Copyable, Sendable {
    /// The network has the request, and no payload has landed.
    case waiting
    /// A payload has landed, and others may follow.
    case receiving(ReceivedPayloads)
    /// A payload lands. The failure, if there is one, ends the request afterwards.
    case landing(failure: RelayError?)
    case over

    /// The result of an attempt to land a payload.
    enum Turn: ~Copyable, Sendable {
        case first
        case later(ReceivedPayloads)
        /// The request is over, or another payload lands.
        case none
    }

    /// True from before the first payload lands until after the last one has landed.
    var isArriving: Bool {
        switch self {
        case .landing: true
        case .receiving: true
        default: false
        }
    }

    /// Begins to land a payload.
    mutating func beginLanding() -> Turn {
        switch consume self {
        case .waiting:
            self = .landing(failure: nil)
            return .first
        case .receiving(let payloads):
            self = .landing(failure: nil)
            return .later(payloads)
        case let other:
            self = other
            return .none
        }
    }

    /// Ends the landing of a payload. If the request has failed meanwhile, returns the failure, and the request is
    /// over.
    mutating func endLanding(_ payloads: inout ReceivedPayloads?) -> RelayError? {
        switch consume self {
        case .landing(let failure?):
            self = .over
            return failure
        default:
            self = .over
            if let payloads = payloads.take() { self = .receiving(payloads) }
            return nil
        }
    }

    /// Ends the request; returns false if it is over already. While a payload lands, the failure is kept, and the first
    /// kept failure ends the request after the payload.
    mutating func end(with failure: RelayError) -> Bool {
        switch consume self {
        case .landing(let earlier):
            self = .landing(failure: earlier ?? failure)
            return false
        case .over:
            self = .over
            return false
        default:
            self = .over
            return true
        }
    }

    /// Ends the request after the network has ended its responses. Returns the failure of a query or mutation in this
    /// case; nil if the request is over already.
    mutating func endEarly() -> RelayError? {
        switch consume self {
        case .waiting:
            self = .over
            return .noResponse
        case .receiving(let payloads):
            self = .over
            return payloads.closedEarly
        case let other:
            self = other
            return nil
        }
    }

    /// Ends the request after a payload has landed.
    mutating func close() { self = .over }
}
