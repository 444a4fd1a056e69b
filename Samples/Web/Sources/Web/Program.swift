import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Hummingbird
import Logging
import NIOCore

/// The server. It prints its address when it is ready.
@main
enum Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") { return write(Options.help, to: .standardOutput) }
        do {
            try await run(Options(arguments))
        } catch let failure as Options.Failure {
            stop("\(failure.text)\n\n\(Options.help)", status: 2)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            stop(
                "another program listens at this port already; choose one with --port, or a free one with --port 0\n",
                status: 1)
        } catch {
            stop("\(error)\n", status: 1)
        }
    }

    private static func run(_ options: Options) async throws {
        // The GraphQL server may be down: the site starts all the same, and asks it when somebody comes.
        let network: any NetworkLayer =
            if let url = options.url { HTTPNetwork(url: url, timeout: .seconds(10)) } else { try EmbeddedService() }
        let site = Site(network: network, freshFor: options.fresh)
        var logger = Logger(label: "web")
        logger.logLevel = .warning
        let app = Application(
            router: Routes(site: site).router,
            configuration: ApplicationConfiguration(address: .hostname(options.host, port: options.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? options.port
                write("http://\(options.host):\(port)/\n", to: .standardOutput)
            },
            logger: logger)
        try await app.runService()
    }

    private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }

    private static func stop(_ text: String, status: Int32) -> Never {
        write("web: \(text)", to: .standardError)
        exit(status)
    }
}
