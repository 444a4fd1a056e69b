import Baton

func fetched(_ environment: RelayEnvironment) async throws -> [Int] {
    var counts: [Int] = []
    for try await response in environment.fetchStream(PartsQuery()) { counts.append(response.errors.count) }
    counts.append(try await environment.fetch(SearchQuery(text: "a")).errors.count)
    counts.append(environment.read(PartsQuery()).errors.count)
    return counts
}

func anyQuery<Query: GraphQLQuery>(_ query: Query, in environment: RelayEnvironment) async throws -> Query.Data?
where Query.ResponseFormat == GeneratedCode.SingleResponse {
    try await environment.fetch(query).data
}
