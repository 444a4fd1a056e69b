import Baton

func partsToFetch(_ environment: RelayEnvironment) async throws -> PartsQuery.Data? {
    // error: 'fetch(_:policy:configuration:)' is unavailable: the response comes in parts: use 'fetchStream'
    try await environment.fetch(PartsQuery(), policy: .storeOrNetwork).data
}
