import Baton
import Films

func word(for film: String, in environment: RelayEnvironment) async -> String {
    do throws(RelayError) {
        let response = try await environment.fetch(OwnerQuery(id: film))
        let data = try response.result.get()
        guard let found = data?.film else {
            return response.errors.isEmpty ? "no film" : "other"
        }
        return found.owner?.name ?? "other"
    } catch {
        if error.code == .missingRequiredField { return "unnamed" }
        if error.kind == .network { return "offline" }
        if error.kind == .cancelled { return "cancelled" }
        if error.kind == .server, let first = error.graphQLErrors.first {
            return "refused: " + first.message
        }
        return "other"
    }
}
