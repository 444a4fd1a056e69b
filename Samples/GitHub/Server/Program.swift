import Foundation
import GitHubService
import HTTPTypes
import Hummingbird

/// The service over HTTP: `github-service [--serve PORT] [--faults LIST]`. It prints its address when it is ready.
@main
enum Program {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let port = value(of: "--serve", in: arguments).flatMap { Int($0) } ?? 8080
        let service = try GitHubService(faults: Faults(parsing: value(of: "--faults", in: arguments) ?? ""))
        let router = Router()
        router.post("/graphql") { request, context in
            let body = try await request.body.collect(upTo: 1 << 20)
            let answer = try await service.answer(
                Array(buffer: body), authorization: request.headers[.authorization])
            var headers = HTTPFields()
            for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            return Response(
                status: .init(code: answer.status), headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        }
        let app = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let address = "http://127.0.0.1:\(channel.localAddress?.port ?? port)/graphql\n"
                FileHandle.standardOutput.write(Data(address.utf8))
            })
        try await app.runService()
    }

    private static func value(of name: String, in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }
}
