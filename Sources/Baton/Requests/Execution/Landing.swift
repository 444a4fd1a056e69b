/// Lands the answers of a request. It moves with the right to do so, and is never copied.
struct Landing: ~Copyable, Sendable {
    private let request: Request
    private let environment: RelayEnvironment
    private let timer: TaskCanceller?
    private let whenOver: (@Sendable () -> Void)?
    private var delivery: IncrementalDelivery?
    private var last: Answer?
    private var responses = 0
    private var bytes = 0

    /// The timer is cancelled and `whenOver` is called when the request is over.
    init(
        of request: Request, in environment: RelayEnvironment, timer: TaskCanceller?,
        whenOver: (@Sendable () -> Void)?
    ) {
        self.request = request
        self.environment = environment
        self.timer = timer
        self.whenOver = whenOver
        delivery = IncrementalDelivery(request.operation)
    }

    /// Writes an answer, or a part of one, into the store; returns true if the request is over.
    mutating func land(_ response: NetworkResponse) -> Bool {
        responses += 1
        bytes += response.body.count
        do {
            guard let answer = try environment.land(response, for: request, &delivery) else {
                end(with: .cancelled)
                return true
            }
            last = answer
            if answer.hasNext { return false }
            end(with: nil)
        } catch let error as RelayError.InvalidResponse {
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
        // The last response would have ended the request.
        guard last != nil else { return end(with: .noResponse) }
        end(with: .transport(RelayError.StreamError.closedEarly(responses: responses, bytes: bytes)))
    }

    /// Ends the request, with a failure or after its last answer.
    func end(with failure: RelayError?) {
        environment.end(request, with: failure)
        timer?.cancel()
        whenOver?()
    }
}
