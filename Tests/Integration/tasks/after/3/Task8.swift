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
    guard state(of: film, in: environment) != "there" else { return }
    let errors = try await environment.prefetch(FilmQuery(id: film), policy: .storeOrNetwork)
    if !errors.isEmpty { throw RelayError.hasErrors(errors) }
    if state(of: film, in: environment) != "there" { throw RelayError.notInStore(component: "FilmQuery") }
}
