/// The responses to an operation, in the order in which they arrive.
///
/// `fetchStream` and `subscribe` return it. A loop over it throws a ``RelayError`` and nothing else:
///
///     do {
///         for try await response in environment.subscribe(UnreadSubscription()) { show(response.data) }
///     } catch {
///         show(error.advice)
///     }
///
/// A loop on an actor leaves it only to wait for a response that has not arrived. All iterators read the same
/// responses, and each response is read once. The request is cancelled when neither the sequence nor an iterator is
/// held any more, and when a task is cancelled that reads it; the loop of that task ends without an error.
public struct GraphQLResponses<Operation: GraphQLOperation>: AsyncSequence, Sendable {
    public typealias Failure = RelayError

    private let source: ResponseSource<Operation>

    /// - Parameter cancel: Cancels the request. It may be called at any time, and more than once.
    init(_ queue: ResponseQueue<GraphQLResponse<Operation>>, cancel: @escaping @Sendable () -> Void) {
        source = ResponseSource(queue, cancel)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// An iterator over the responses.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: ResponseSource<Operation>

        /// Returns the next response, or nil after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RelayError) -> GraphQLResponse<Operation>? {
            let source = source
            return try await source.queue.next(isolation: actor) { source.stop() }
        }
    }
}

/// Cancels the request when nobody can read its responses any more.
private final class ResponseSource<Operation: GraphQLOperation>: Sendable {
    let queue: ResponseQueue<GraphQLResponse<Operation>>
    private let cancel: @Sendable () -> Void

    init(_ queue: ResponseQueue<GraphQLResponse<Operation>>, _ cancel: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.cancel = cancel
    }

    deinit { cancel() }

    func stop() {
        // The sequence ends before the request is cancelled. Otherwise the loop would throw the request's error.
        queue.end(.success(()))
        cancel()
    }
}
