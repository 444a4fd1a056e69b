import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import Synchronization
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct UploadTests {
    @Test(arguments: TransportKind.allCases, [Server.strawberry, .ariadne] + Server.mocks)
    func severalFilesGoFromTheDisk(_ transport: TransportKind, _ server: Server) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The SHA-256 of a file with this number of bytes `a`.
        let files = [
            ("empty.txt", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("million.txt", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
        for (name, size, _) in files {
            try Data(repeating: 97, count: size).write(to: folder.appending(path: name))
        }
        let progress = Mutex<[Int]>([])
        let total = Mutex(0)
        var configuration = RequestConfiguration(
            uploads: files.enumerated().map { number, file in
                Upload(
                    variable: "files.\(number)", fileName: file.0, contentType: "text/plain",
                    content: .file(path: folder.appending(path: file.0).path()))
            })
        configuration.context[UploadProgress.self] = UploadProgress { sent, all in
            progress.withLock { $0.append(sent) }
            total.withLock { $0 = all }
        }
        let visit = try Visit(server, transport)
        let response = try await visit.environment.commit(
            StowMutation(files: files.map(\.0)), configuration: configuration)
        #expect(response.errors.isEmpty)
        #expect(response.data?.stow.map(\.name) == files.map(\.0))
        #expect(response.data?.stow.map(\.size) == files.map(\.1))
        #expect(response.data?.stow.map(\.digest) == files.map(\.2))
        let sent = progress.withLock { $0 }
        #expect(sent == sent.sorted())
        #expect(sent.last == total.withLock { $0 })
        #expect(sent.count > 2)
    }

    @Test(arguments: TransportKind.allCases, [Server.strawberry, .ariadne] + Server.mocks)
    func bytesGoBesideOtherVariables(_ transport: TransportKind, _ server: Server) async throws {
        let upload = Upload(variable: "file", fileName: "a \"b\".txt", content: .bytes(Array("abc".utf8)))
        let response = try await Visit(server, transport).environment.commit(
            StowOneMutation(file: "", note: "for you"), configuration: RequestConfiguration(uploads: [upload]))
        #expect(response.errors.isEmpty)
        #expect(response.data?.stowOne.size == 3)
        #expect(
            response.data?.stowOne.digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: TransportKind.allCases)
    func aMissingFileFailsTheMutation(_ transport: TransportKind) async throws {
        let upload = Upload(variable: "file", fileName: "a", content: .file(path: "/no/such/file"))
        let visit = try Visit(.strawberry, transport)
        await #expect(throws: RelayError.self) {
            try await visit.environment.commit(
                StowOneMutation(file: ""), configuration: RequestConfiguration(uploads: [upload]))
        }
    }
}
