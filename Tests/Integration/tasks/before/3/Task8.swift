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
    guard errors.isEmpty else { throw RelayError.hasErrors(errors) }
    guard environment.check(query) == .available else {
        throw RelayError.notInStore(component: "FilmQuery")
    }
}
