import Baton
import BatonHTTP

func signedIn(_ network: any NetworkLayer, tokens: any Tokens) -> any NetworkLayer {
    let authentication = AuthenticationInterceptor(
        load: {
            if let token = await tokens.current() { return Credential.bearer(token) }
            return Credential.bearer(try await tokens.renewed())
        },
        refresh: { _ in
            Credential.bearer(try await tokens.renewed())
        })
    return intercepted(network, by: authentication)
}

private func intercepted(_ network: some NetworkLayer, by step: any NetworkInterceptor) -> any NetworkLayer {
    network.intercepted(by: [step])
}
