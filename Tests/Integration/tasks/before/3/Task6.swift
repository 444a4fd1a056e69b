import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: {
            // Every request has the header: without a token there is, one is asked for.
            if let token = await tokens.current() { return Credential.bearer(token) }
            return Credential.bearer(try await tokens.renewed())
        },
        refresh: { _ in
            Credential.bearer(try await tokens.renewed())
        }
    )
    return layered(network, authentication)
}

private func layered(_ network: some NetworkLayer, _ step: AuthenticationInterceptor) -> any NetworkLayer {
    network.intercepted(by: step)
}
