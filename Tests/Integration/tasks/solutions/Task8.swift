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
    try await environment.prefetch(FilmQuery(id: film))
}
