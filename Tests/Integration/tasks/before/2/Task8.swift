import Baton
import Films

func state(of film: String, in environment: RelayEnvironment) -> String {
    switch environment.check(FilmQuery(id: film)) {
    case .available: "there"
    case .stale: "stale"
    case .missing: "missing"
    }
}

func warmUp(_ film: String, in environment: RelayEnvironment) async throws {
    let query = FilmQuery(id: film)
    guard environment.check(query) != .available else { return }
    let errors = try await environment.prefetch(query, policy: .storeOrNetwork)
    guard errors.isEmpty else { throw RelayError.hasErrors(errors) }
}
