import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    network.intercepted(
        by: AuthenticationInterceptor(
            load: { await tokens.current().map(Credential.bearer) },
            refresh: { _ in .bearer(try await tokens.renewed()) }))
}
