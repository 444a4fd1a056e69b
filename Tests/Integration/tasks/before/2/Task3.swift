import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        let response = try await environment.fetch(OwnerQuery(id: film), policy: .networkOnly)
        guard let data = try response.result.get() else { return "other" }
        guard let film = data.film else {
            // A film that is null because of an error may well be there.
            return response.errors.isEmpty ? "no film" : "other"
        }
        return film.owner?.name ?? "other"
    } catch {
        if Task.isCancelled { return "cancelled" }
        switch error {
        case .cancelled:
            return "cancelled"
        case .transport(let cause):
            if case .refused(let errors)? = cause as? RelayError.StreamError, let first = errors.first {
                return "refused: " + first.message
            }
            return "offline"
        case .timedOut:
            return "offline"
        case .noData(let errors):
            return "refused: " + (errors.first?.message ?? "")
        case .missingRequiredField:
            return "unnamed"
        default:
            return "other"
        }
    }
}
