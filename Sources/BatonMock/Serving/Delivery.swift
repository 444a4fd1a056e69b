import Baton
import BatonTesting

/// The form in which an answer is sent.
enum Delivery: Sendable, Equatable {
    /// One JSON text.
    case whole(type: String)
    /// Parts of one answer, in a format of incremental delivery.
    case multipart(LocalService.IncrementalFormat)
    /// The events of a subscription as parts (Apollo's protocol).
    case multipartEvents
    /// Server-sent events (graphql-sse, distinct connections mode).
    case eventStream

    static let json = "application/json"
    static let graphQLJSON = "application/graphql-response+json"

    /// Chooses for an operation what the client likes best; nil if it accepts nothing that there is.
    static func choose(for kind: OperationKind, _ accepted: AcceptedTypes) -> Delivery? {
        for entry in accepted.entries {
            let found = kind == .subscription ? ofEvents(entry) : ofAnswer(entry)
            if let found { return found }
        }
        return nil
    }

    /// The form of an answer in one piece, which also says that a request is wrong.
    static func wholeType(_ accepted: AcceptedTypes) -> String {
        for entry in accepted.entries {
            if case .whole(let type)? = ofAnswer(entry) { return type }
        }
        return json
    }

    private static func ofAnswer(_ entry: AcceptedTypes.Entry) -> Delivery? {
        switch entry.name {
        case graphQLJSON: .whole(type: graphQLJSON)
        case json, "application/*", "*/*": .whole(type: json)
        case "text/event-stream": .eventStream
        case "multipart/mixed":
            if entry.parameters["incrementalspec"] != nil {
                .multipart(.announced)
            } else {
                entry.parameters["subscriptionspec"] == nil ? .multipart(.labelled) : nil
            }
        default: nil
        }
    }

    private static func ofEvents(_ entry: AcceptedTypes.Entry) -> Delivery? {
        switch entry.name {
        case "text/event-stream", "text/*": .eventStream
        case "multipart/mixed":
            entry.parameters["incrementalspec"] == nil && entry.parameters["deferspec"] == nil ? .multipartEvents : nil
        default: nil
        }
    }
}
