import Foundation
import Hummingbird

/// A server whose pages are constants: `/28000` answers with that many bytes. It prints its address when it is ready.
@main
enum Constant {
    static func main() async throws {
        let router = Router()
        let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
        router.get("/:size") { _, context in
            let size = try context.parameters.require("size", as: Int.self)
            guard let part = bytes.getSlice(at: 0, length: size) else { throw HTTPError(.badRequest) }
            return Response(status: .ok, headers: [.contentType: "text/html"], body: ResponseBody(byteBuffer: part))
        }
        let app = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                FileHandle.standardOutput.write(Data("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\n".utf8))
            })
        try await app.runService()
    }
}
