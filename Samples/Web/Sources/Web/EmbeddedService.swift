import Baton
import StarWarsComponents
import Synchronization

/// The GraphQL service of the terminal sample, inside of this process. A mutation that comes again under its key is
/// answered as before, and not carried out a second time.
final class EmbeddedService: NetworkLayer {
    /// The service, for subscriptions.
    let service: SagaNetwork
    private let responses = Mutex<[String: NetworkResponse]>([:])

    init() throws { service = try SagaNetwork(clock: ContinuousClock()) }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        guard let key = request.idempotencyKey else { return try await service.send(request) }
        if let response = responses.withLock({ $0[key] }) { return response }
        let response = try await service.send(request)
        responses.withLock { responses in
            if responses.count >= 10_000 { responses = [:] }
            responses[key] = response
        }
        return response
    }
}
