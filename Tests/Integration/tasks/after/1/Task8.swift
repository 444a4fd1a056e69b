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
    if environment.check(query).isAvailable { return }
    let errors = try await environment.prefetch(query)
    if !errors.isEmpty { throw RelayError.hasErrors(errors) }
}
