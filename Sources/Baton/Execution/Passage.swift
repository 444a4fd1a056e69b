/// A request on its way to the network and back.
///
/// Whoever holds the landing may write an answer into the store or end the request. That is either the task that sends,
/// or the code that gives the request up. A network that goes on regardless then finds no landing, so nobody waits for
/// it.
///
/// State: guarded by a lock of its own, a leaf.
final class Passage: Sendable {
    /// The landing; nil while an answer lands and after the end of the request.
    private let landing: Guarded<Landing?>

    init(_ landing: Landing) {
        self.landing = Guarded(landing)
    }

    /// Sends the request and lands its answers until it is over. Must be called by one task.
    func run(_ request: NetworkRequest, over network: any NetworkLayer, countedIn activity: Activity) async {
        await withTaskCancellationHandler {
            await receive(RequestScope.$activity.withValue(activity) { network.responses(to: request) })
        } onCancel: {
            // This runs in a task of its own, because Swift calls the handler while it holds a lock, and the end of a
            // request calls code of the application.
            Task { end(with: .cancelled) }
        }
    }

    /// Ends the request, unless it is over. While an answer lands, the sending task ends the request afterwards.
    func end(with failure: RelayError) {
        take()?.end(with: failure)
    }

    private func receive(_ responses: AsyncThrowingStream<NetworkResponse, any Error>) async {
        do {
            for try await response in responses {
                // Answers after the request was given up are ignored.
                guard !Task.isCancelled, var landing = take() else { break }
                if landing.land(response) { return }
                put(landing)
                // The request may have been given up while the answer landed.
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

/// Lands the answers of a request.
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

    /// Writes an answer, or a part of one, into the store; returns true if the request is over.
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

    /// Ends the request after the network has ended its answers.
    func endAfterLast() {
        if request.network.kind == .subscription {
            environment.complete(request)
            return end(with: nil)
        }
        guard let last else { return end(with: .noResponse) }
        do {
            try delivery?.finish()
            environment.conclude(request, with: last.asLast)
            end(with: nil)
        } catch {
            end(with: .invalidResponse(error))
        }
    }

    /// Ends the request, with a failure or after its last answer.
    func end(with failure: RelayError?) {
        environment.end(request, with: failure)
        whenOver()
    }
}
