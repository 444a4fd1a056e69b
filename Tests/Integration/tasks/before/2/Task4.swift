import Baton
import Films

func search(
    _ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment
) async throws -> [String] {
    let query = SearchQuery(text: text, genre: genre, years: years.isEmpty ? nil : years)
    return try await titlesFound(by: query, in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    let query = SearchQuery(variables: SearchQuery.Variables(text: text, genre: .null))
    return try await titlesFound(by: query, in: environment)
}

private func titlesFound(by query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(query)
    let data = try response.result.get()
    guard response.errors.isEmpty else { throw RelayError.hasErrors(response.errors) }
    guard let films = data?.search else { return [] }
    return films.map { $0.title }
}
