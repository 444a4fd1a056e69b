import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        let response = try await environment.fetch(OwnerQuery(id: film), policy: .networkOnly)
        if let failure = response.failure { throw failure }
        guard let data = response.data else { return "other" }
        guard let found = data.film else {
            // A null that comes with an error does not say that there is no film.
            return response.errors.isEmpty ? "no film" : "other"
        }
        guard let owner = found.owner else { return "other" }
        return owner.name
    } catch {
        switch error {
        case .cancelled:
            return "cancelled"
        case .transport(let cause):
            return cause is CancellationError || Task.isCancelled ? "cancelled" : "offline"
        case .timedOut:
            return "offline"
        case .noData(let errors):
            guard let first = errors.first else { return "other" }
            return "refused: " + first.message
        case .missingRequiredField:
            return "unnamed"
        default:
            return "other"
        }
    }
}
