import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: {
            if let token = await tokens.current() { return Credential.bearer(token) }
            // Every request carries a token, so one is got if there is none yet.
            return Credential.bearer(try await tokens.renewed())
        },
        refresh: { _ in
            Credential.bearer(try await tokens.renewed())
        })
    return added(authentication, to: network)
}

private func added(_ interceptor: AuthenticationInterceptor, to network: some NetworkLayer) -> any NetworkLayer {
    network.intercepted(by: interceptor)
}
