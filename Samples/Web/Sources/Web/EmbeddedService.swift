import Baton
import BatonTesting
import StarWarsComponents
import Synchronization

/// The GraphQL service of the terminal sample, inside of this process. A mutation that comes again under its key is
/// answered as before, and not carried out a second time.
final class EmbeddedService: NetworkLayer {
    private let service: LocalService
    private let answers = Mutex<[String: NetworkResponse]>([:])

    init() throws { service = try SagaService.make() }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        guard let key = request.idempotencyKey else { return try await service.send(request) }
        if let answer = answers.withLock({ $0[key] }) { return answer }
        let answer = try await service.send(request)
        answers.withLock { answers in
            if answers.count >= 10_000 { answers = [:] }
            answers[key] = answer
        }
        return answer
    }
}
