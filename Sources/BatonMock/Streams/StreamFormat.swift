import BatonTesting

/// How the messages of a stream are written.
enum StreamFormat: Sendable, Equatable {
    /// The parts of one answer as `multipart/mixed`.
    case multipart(LocalService.IncrementalFormat)
    /// The events of a subscription as `multipart/mixed`; each is the member `payload` of an object.
    case multipartEvents
    /// Server-sent events.
    case eventStream

    private static let boundary = "graphql"

    var contentType: String {
        switch self {
        case .multipart(.announced): "multipart/mixed; boundary=\"\(Self.boundary)\"; incrementalSpec=v0.2"
        case .multipart(.labelled): "multipart/mixed; boundary=\"\(Self.boundary)\"; deferSpec=20220824"
        case .multipartEvents: "multipart/mixed; boundary=\"\(Self.boundary)\"; subscriptionSpec=1.0"
        case .eventStream: "text/event-stream; charset=utf-8"
        }
    }

    /// What stands before the first message.
    var opening: [UInt8] {
        self == .eventStream ? Array(":\n\n".utf8) : Array("\r\n--\(Self.boundary)".utf8)
    }

    /// A message. A delimiter follows it at once, so that a reader knows that it is whole.
    func part(_ json: [UInt8]) -> [UInt8] {
        switch self {
        case .eventStream: Array("event: next\ndata: ".utf8) + json + Array("\n\n".utf8)
        case .multipart: Self.part(json)
        case .multipartEvents: Self.part(Array(#"{"payload":"#.utf8) + json + Array("}".utf8))
        }
    }

    /// What says that the stream lives.
    var heartbeat: [UInt8] {
        switch self {
        case .eventStream: Array(":\n\n".utf8)
        case .multipart: []
        case .multipartEvents: Self.part(Array("{}".utf8))
        }
    }

    /// What stands behind the last message.
    var ending: [UInt8] { Array((self == .eventStream ? "event: complete\ndata:\n\n" : "--\r\n").utf8) }

    private static func part(_ json: [UInt8]) -> [UInt8] {
        Array("\r\nContent-Type: application/json; charset=utf-8\r\n\r\n".utf8) + json
            + Array("\r\n--\(boundary)".utf8)
    }
}
