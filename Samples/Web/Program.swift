import Baton
import BatonHTTP
import Foundation
import Hummingbird

/// The server: `Web --url URL [--port PORT]`. It prints its address when it is ready.
@main
enum Program {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let text = value(of: "--url", in: arguments), let url = URL(string: text), url.scheme != nil else {
            print("usage: Web --url URL [--port PORT]    URL is a GraphQL endpoint with the schema of Samples/StarWars")
            exit(2)
        }
        let port = value(of: "--port", in: arguments).flatMap { Int($0) } ?? 8080
        let site = try await Site(network: HTTPNetwork(url: url))
        let app = Application(
            router: Pages(site: site).router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let address = "http://127.0.0.1:\(channel.localAddress?.port ?? port)/\n"
                FileHandle.standardOutput.write(Data(address.utf8))
            })
        try await app.runService()
    }

    private static func value(of name: String, in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }
}
