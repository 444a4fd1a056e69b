import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: {
            guard let token = await tokens.current() else { return nil }
            return Credential.bearer(token)
        },
        refresh: { _ in
            let token = try await tokens.renewed()
            return Credential.bearer(token)
        })
    return intercepting(network, with: authentication)
}

private func intercepting<Network: NetworkLayer>(
    _ network: Network, with interceptor: AuthenticationInterceptor
) -> any NetworkLayer {
    network.intercepted(by: interceptor)
}
