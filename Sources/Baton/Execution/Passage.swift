/// A request on its way to the network and back.
///
/// Who has the landing brings an answer into the store or ends the request. That is the task that sends, and whoever
/// gives the request up: nobody waits for a network that goes on regardless, and what it gives then finds no landing.
///
/// State: guarded by its own lock, a leaf.
final class Passage: Sendable {
    /// Nil while an answer lands, and when the request is over.
    private let landing: Guarded<Landing?>

    init(_ landing: Landing) {
        self.landing = Guarded(landing)
    }

    /// Sends the request, and lands what comes until it is over; for one task.
    func run(_ request: NetworkRequest, over network: any NetworkLayer, countedIn activity: Activity) async {
        await withTaskCancellationHandler {
            await receive(RequestScope.$activity.withValue(activity) { network.responses(to: request) })
        } onCancel: {
            // In a task of its own: this runs while Swift holds a lock of the task, and the end of a request is told to
            // code of the user's.
            Task { end(with: .cancelled) }
        }
    }

    /// Ends the request, unless it is over or an answer lands, after which the task that sends ends it.
    func end(with failure: RelayError) {
        take()?.end(with: failure)
    }

    private func receive(_ responses: AsyncThrowingStream<NetworkResponse, any Error>) async {
        do {
            for try await response in responses {
                // What comes after the request was given up is of no use to anybody.
                guard !Task.isCancelled, var landing = take() else { break }
                if landing.land(response) { return }
                put(landing)
                // Who gave the request up while the answer landed found nothing to end.
                if Task.isCancelled { break }
            }
            if Task.isCancelled { end(with: .cancelled) } else { take()?.endAfterLast() }
        } catch {
            end(with: Task.isCancelled ? .cancelled : RelayError(wrapping: error))
        }
    }

    private func take() -> Landing? {
        landing.withLock { landing in
            let taken = landing
            landing = nil
            return taken
        }
    }

    private func put(_ landing: Landing) {
        self.landing.withLock { $0 = landing }
    }
}

/// What the answers of a request land with.
struct Landing: Sendable {
    private let request: Request
    private let environment: RelayEnvironment
    private let whenOver: @Sendable () -> Void
    private var delivery: IncrementalDelivery?
    private var last: Answer?

    init(of request: Request, in environment: RelayEnvironment, whenOver: @escaping @Sendable () -> Void) {
        self.request = request
        self.environment = environment
        self.whenOver = whenOver
        delivery = IncrementalDelivery(request.operation)
    }

    /// Brings an answer, or a part of one, into the store; true if the request is over with it.
    mutating func land(_ response: NetworkResponse) -> Bool {
        do {
            guard let answer = try environment.land(response, for: request, &delivery) else {
                end(with: .cancelled)
                return true
            }
            last = answer
            if answer.hasNext { return false }
            end(with: nil)
        } catch let error as ResponseError {
            end(with: .invalidResponse(error.quoting(response.body)))
        } catch {
            end(with: RelayError(wrapping: error))
        }
        return true
    }

    /// Ends the request because the network gives no more: what has landed is all there is.
    func endAfterLast() {
        guard let last else { return end(with: .noResponse) }
        do {
            try delivery?.finish()
            environment.conclude(request, with: last.asLast)
            end(with: nil)
        } catch {
            end(with: .invalidResponse(error))
        }
    }

    /// Ends the request.
    func end(with failure: RelayError?) {
        environment.end(request, with: failure)
        whenOver()
    }
}
