import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: {
            // Without a token there is nothing to send: the first one is fetched before the first request.
            if let token = await tokens.current() { return Credential.bearer(token) }
            return Credential.bearer(try await tokens.renewed())
        },
        refresh: { _ in
            Credential.bearer(try await tokens.renewed())
        })
    return network.intercepted(by: authentication)
}
