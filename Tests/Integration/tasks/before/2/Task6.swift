import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: { () async throws -> Credential? in
            if let token = await tokens.current() {
                return Credential.bearer(token)
            }
            // Every request carries a token, so the first one is asked for where there is none yet.
            let token = try await tokens.renewed()
            return Credential.bearer(token)
        },
        refresh: { (_: Credential?) async throws -> Credential? in
            let token = try await tokens.renewed()
            return Credential.bearer(token)
        })
    return network.intercepted(by: authentication)
}
