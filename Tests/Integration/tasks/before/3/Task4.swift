import Baton
import Films

func search(
    _ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment
) async throws -> [String] {
    let query = SearchQuery(text: text, genre: genre, years: years.isEmpty ? nil : years)
    return try await foundTitles(of: query, in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    let variables = SearchQuery.Variables(text: text, genre: .null)
    return try await foundTitles(of: SearchQuery(variables: variables), in: environment)
}

private func foundTitles(of query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(query, configuration: RequestConfiguration(errorPolicy: .failure))
    if let failure = response.failure { throw failure }
    guard let data = response.data else { throw RelayError.noData(response.errors) }
    guard let films = data.search else { return [] }
    return films.map { $0.title }
}
