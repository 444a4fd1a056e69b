import Baton
import Films

func search(
    _ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment
) async throws -> [String] {
    let wanted: [Int]? = years.isEmpty ? nil : years
    return try await foundTitles(SearchQuery(text: text, genre: genre, years: wanted), in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    let variables = SearchQuery.Variables(text: text, genre: .null)
    return try await foundTitles(SearchQuery(variables: variables), in: environment)
}

private func foundTitles(_ query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(
        query, configuration: RequestConfiguration(errorPolicy: .failure))
    guard let data = try response.result.get() else { throw RelayError.noData(response.errors) }
    guard let films = data.search else { return [] }
    return films.map { $0.title }
}
