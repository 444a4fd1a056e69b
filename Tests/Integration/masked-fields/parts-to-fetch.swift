import Baton

func partsToFetch(_ environment: RelayEnvironment) async throws -> PartsQuery.Data? {
    try await environment.fetch(PartsQuery(), policy: .storeOrNetwork).data  // error: 'fetch(_:policy:configuration:)' is unavailable: a query with '@defer' or '@stream' comes in parts: use 'fetchStream'
}
