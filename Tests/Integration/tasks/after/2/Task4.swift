import Baton
import Films

func search(_ text: String?, genre: Genre?, years: [Int], in environment: RelayEnvironment) async throws -> [String] {
    try await found(SearchQuery(text: text, genre: genre, years: years.isEmpty ? nil : years), in: environment)
}

func searchWithoutGenre(_ text: String, in environment: RelayEnvironment) async throws -> [String] {
    try await found(SearchQuery(variables: SearchQuery.Variables(text: text, genre: .null)), in: environment)
}

private func found(_ query: SearchQuery, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(query, configuration: RequestConfiguration(errorPolicy: .failure))
    guard let films = try response.result.get()?.search else { return [] }
    return films.map { $0.title }
}
