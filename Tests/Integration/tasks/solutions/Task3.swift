import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        guard let film = try await environment.fetch(OwnerQuery(id: film)).result.get()?.film else { return "no film" }
        return film.owner?.name ?? "other"
    } catch {
        switch error.kind {
        case .cancelled: return "cancelled"
        case .network: return "offline"
        case .server: return "refused: \(error.graphQLErrors.first?.message ?? "")"
        default: return error.code == .missingRequiredField ? "unnamed" : "other"
        }
    }
}
