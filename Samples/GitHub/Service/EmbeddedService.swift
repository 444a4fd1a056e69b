import Baton

/// The service as a network that is made beside the first frame, since its data takes a while.
public actor EmbeddedService: NetworkLayer {
    private let faults: Faults
    private lazy var service = Task.detached { [faults] in try GitHubService(faults: faults) }

    public init(faults: Faults) { self.faults = faults }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await service.value.send(request)
    }
}
