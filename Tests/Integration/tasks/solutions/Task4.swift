import Baton
import Films

func search(_ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment) async throws -> [String] {
    let query = SearchQuery(text: text, genre: genre, years: years.isEmpty ? nil : years)
    return try await titles(of: query, in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    let variables = SearchQuery.Variables(text: .some(text), genre: .null)
    return try await titles(of: SearchQuery(variables: variables), in: environment)
}

private func titles(of query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(query)
    if let failure = response.failure { throw failure }
    return response.data?.search?.map(\.title) ?? []
}
