import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        guard let film = try await environment.fetch(OwnerQuery(id: film)).result.get()?.film else { return "no film" }
        return film.owner?.name ?? "other"
    } catch {
        switch error {
        case .cancelled: return "cancelled"
        case .transport, .noResponse, .timedOut: return "offline"
        case .noData(let errors): return "refused: \(errors.first?.message ?? "")"
        case .missingRequiredField: return "unnamed"
        default: return "other"
        }
    }
}
