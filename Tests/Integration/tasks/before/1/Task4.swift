import Baton
import Films

func search(_ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment) async throws -> [String] {
    let query = SearchQuery(text: text, genre: genre, years: years.isEmpty ? nil : years)
    return try await titles(of: query, in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    let query = SearchQuery(variables: SearchQuery.Variables(text: .value(text), genre: .null))
    return try await titles(of: query, in: environment)
}

private func titles(of query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(
        query, policy: .networkOnly, configuration: RequestConfiguration(errorPolicy: .failure))
    guard let data = try response.result.get() else { throw RelayError.noResponse }
    return data.search?.map { $0.title } ?? []
}
