/// The way of a request to the network and back, in the sending task. It does not keep the request.
struct RequestSending: Sendable {
    private weak let execution: RequestExecution?
    private let message: NetworkRequest
    private let network: any NetworkLayer
    /// Cancels the task.
    private let canceller: TaskCanceller

    init(
        _ message: NetworkRequest, of execution: RequestExecution, over network: any NetworkLayer,
        _ canceller: TaskCanceller
    ) {
        self.execution = execution
        self.message = message
        self.network = network
        self.canceller = canceller
    }

    /// Sends the request, and lands its responses until it is over. Must be called once.
    func run(countedIn owner: RequestScope.Owner) async {
        await withTaskCancellationHandler {
            do {
                if let network = network as? any DirectNetwork {
                    try await send(over: network, countedIn: owner)
                } else if try await read(countedIn: owner) {
                    return
                }
                finish(nil)
            } catch {
                finish(error)
            }
        } onCancel: {
            // The end of a request calls code of the application, and Swift calls the cancellation handler while it
            // holds a lock. So the end runs in a task of its own.
            Task { execution?.end(with: .cancelled) }
        }
    }

    /// Ends the request after the network, unless it is over.
    ///
    /// The method is separate from `run`, because otherwise the task would keep room for its errors all the time.
    @inline(never)
    private func finish(_ error: (any Error)?) {
        if Task.isCancelled {
            execution?.end(with: .cancelled)
        } else if let error {
            execution?.end(with: RelayError(wrapping: error))
        } else {
            execution?.endAfterLast()
        }
    }

    private func send(over network: any DirectNetwork, countedIn owner: RequestScope.Owner) async throws {
        owner.isAsked()
        try await RequestScope.run(countedIn: owner) {
            try await network.run(message, deliver: deliver) { error in
                execution?.end(with: RelayError(wrapping: error))
                canceller.cancel()
            }
        }
    }

    /// Reads the stream of responses; returns true if the request is over before the stream has ended.
    private func read(countedIn owner: RequestScope.Owner) async throws -> Bool {
        let responses = RequestScope.run(countedIn: owner) { network.responses(to: message) }
        owner.isAsked()
        for try await response in responses {
            guard let execution else { throw CancellationError() }
            if try execution.receive(response) { return true }
        }
        return false
    }

    /// Lands a response of a network that works in this task. A network that continues after the end gets the error.
    private func deliver(_ response: NetworkResponse) throws {
        guard let execution else { throw CancellationError() }
        if try execution.receive(response), response.hasNext { throw CancellationError() }
    }
}
