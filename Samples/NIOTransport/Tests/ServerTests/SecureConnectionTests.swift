import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOSSL
import NIOTransport
import Testing

@Suite(.withServers, .withCache, .timeLimit(.minutes(20)))
struct SecureConnectionTests {
    /// A transport that trusts the servers' certificate; over URLSession on Linux none can.
    private static func trusting(_ kind: TransportKind, allowsHTTP2: Bool = true) throws -> any HTTPTransport {
        let path = try #require(ProcessInfo.processInfo.environment["BATON_CERTIFICATE"])
        if kind == .curl {
            var options = CurlOptions()
            options.authorities = path
            return try CurlTransport(options, allowsHTTP2: allowsHTTP2)
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(path)
        return AsyncHTTPTransport(tls: tls, allowsHTTP2: allowsHTTP2)
    }

    @Test(arguments: [TransportKind.curl, .nio], [true, false])
    func theServerChoosesHTTP2WhereItIsOffered(_ kind: TransportKind, _ allowsHTTP2: Bool) async throws {
        let recorder = MetadataRecorder()
        let transport = try Self.trusting(kind, allowsHTTP2: allowsHTTP2)
        let network = HTTPNetwork(url: try Server.tls.url, transport: transport).intercepted(by: recorder)
        let environment = RelayEnvironment(network: network, log: { _ in })
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for delay in 0..<20 {
                group.addTask { try await environment.fetch(WaitQuery(delay: delay)).data?.wait }
            }
            let answers = try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            #expect(answers == Set(0..<20))
        }
        let metadata = await recorder.finish()
        #expect(Set(metadata.map { $0["x-protocol"] }) == [allowsHTTP2 ? "HTTP/2.0" : "HTTP/1.1"])
        // The bodies arrived compressed, and were read.
        #expect(metadata.contains { $0["content-encoding"] == "gzip" })
    }

    @Test(arguments: TransportKind.allCases)
    func anUnknownCertificateIsRefused(_ transport: TransportKind) async throws {
        let error = await #expect(throws: RelayError.self) {
            try await Visit(.tls, transport).environment.fetch(ShipsQuery())
        }
        guard case HTTPError.tls? = error?.underlying else {
            Issue.record("not TLS but \(String(describing: error))")
            return
        }
    }

    @Test(arguments: SocketKind.allCases)
    func anUnknownCertificateIsRefusedToSocketsToo(_ kind: SocketKind) async throws {
        let transport = try kind.make()
        let url = try Server.tls.url
        let error = await #expect(throws: HTTPError.self) {
            try await transport.connect(to: url, headers: [:], subprotocols: [], maximumMessageSize: 1000)
        }
        guard case .tls = error else {
            Issue.record("not TLS but \(String(describing: error))")
            return
        }
    }
}
