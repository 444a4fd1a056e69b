import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        let response = try await environment.fetch(OwnerQuery(id: film))
        guard let data = try response.result.get() else { return "other" }
        guard let found = data.film else {
            // A film that is null because of an error may well be there.
            return response.errors.isEmpty ? "no film" : "other"
        }
        guard let owner = found.owner else { return "other" }
        return owner.name
    } catch {
        if error.kind == .cancelled || Task.isCancelled { return "cancelled" }
        if error.kind == .network { return "offline" }
        if error.kind == .server, let first = error.graphQLErrors.first { return "refused: " + first.message }
        if error.code == .missingRequiredField { return "unnamed" }
        return "other"
    }
}
