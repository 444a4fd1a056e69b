// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton

/// A network whose answers are streams that the test feeds.
final class EventNetwork: NetworkLayer {
    struct Stream: Sendable {
        let request: NetworkRequest
        private let continuation: AsyncThrowingStream<NetworkResponse, any Error>.Continuation

        fileprivate init(
            _ request: NetworkRequest, _ continuation: AsyncThrowingStream<NetworkResponse, any Error>.Continuation
        ) {
            self.request = request
            self.continuation = continuation
        }

        func send(_ json: String, isLast: Bool = false) {
            continuation.yield(NetworkResponse(body: Array(json.utf8), hasNext: !isLast))
        }

        func end(throwing error: (any Error)? = nil) { continuation.finish(throwing: error) }
    }

    private let open = Guarded<[Stream]>([])
    private let ended = Guarded(0)

    /// Every stream that was asked for, in order.
    var streams: [Stream] { open.withLock { $0 } }
    /// The number of streams that ended or were cancelled.
    var endedStreams: Int { ended.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { continuation in
            continuation.onTermination = { [weak self] _ in self?.ended.withLock { $0 += 1 } }
            open.withLock { $0.append(Stream(request, continuation)) }
        }
    }

    /// Waits until this many streams were asked for, and returns the last of them.
    func stream(_ number: Int = 1) async -> Stream {
        while streams.count < number { await Task.yield() }
        return streams[number - 1]
    }
}

/// `subscription FilmChanged($id: ID!) { filmChanged(id: $id) { id title } }`
struct FilmChangedSubscription: GraphQLSubscription {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "FilmChanged", kind: .subscription,
        text: "subscription FilmChanged($id: ID!) { filmChanged(id: $id) { id title } }",
        normalization: "(id){filmChanged(id:$id):+Film{id:ID! title:String!}}")
    var variables: Films.FilmQuery.Variables
    init(variables: Films.FilmQuery.Variables) { self.variables = variables }
    init(id: String) { self.init(variables: Films.FilmQuery.Variables(id: id)) }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var filmChanged: Film? { __row.optionalObject(0) }

        struct Film: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
            var title: String { __row.string(1) }
        }
    }

    static func event(_ id: String, _ title: String) -> String {
        #"{"data":{"filmChanged":{"id":"\#(id)","title":"\#(title)"}}}"#
    }
}

/// Waits until a condition holds; the time limit of the test cancels the task, and so ends a wait in vain.
func until(_ condition: @Sendable () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
