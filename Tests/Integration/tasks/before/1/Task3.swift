import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        let response = try await environment.fetch(OwnerQuery(id: film), policy: .networkOnly)
        guard let data = try response.result.get() else { return "other" }
        guard let found = data.film else {
            // A film that could not be read is not a film that does not exist.
            return response.errors.isEmpty && !response.isMissingData ? "no film" : "other"
        }
        return found.owner?.name ?? "other"
    } catch {
        switch error {
        case .transport, .timedOut:
            return "offline"
        case .noData(let errors):
            guard let first = errors.first else { return "other" }
            return "refused: " + first.message
        case .missingRequiredField:
            return "unnamed"
        case .cancelled:
            return "cancelled"
        default:
            return "other"
        }
    }
}
