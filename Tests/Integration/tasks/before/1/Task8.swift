import Baton
import Films

func state(of film: String, in environment: RelayEnvironment) -> String {
    switch environment.check(FilmQuery(id: film)) {
    case .available: return "there"
    case .stale: return "stale"
    case .missing: return "missing"
    }
}

func warmUp(_ film: String, in environment: RelayEnvironment) async throws {
    let query = FilmQuery(id: film)
    if environment.check(query) == .available { return }

    let errors = try await environment.prefetch(query, policy: .storeOrNetwork)
    if !errors.isEmpty { throw RelayError.hasErrors(errors) }

    // An answer may lack fields of the query.
    if environment.check(query) != .available { throw RelayError.notInStore(component: "FilmQuery") }
}
