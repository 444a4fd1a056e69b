import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOSSL
import NIOTransport
import Testing

extension FaultTests {
    @Test(arguments: TransportKind.allCases)
    func aCertificateThatNobodyKnowsIsATypedError(_ transport: TransportKind) async throws {
        try await expectTLSError(transport.make(), certificate: try Certificate(name: "127.0.0.1"))
    }

    /// Over URLSession on Linux no certificate can be trusted that the system does not trust.
    @Test(arguments: [TransportKind.curl, .nio])
    func aCertificateForAnotherNameIsATypedError(_ transport: TransportKind) async throws {
        let certificate = try Certificate(name: "192.0.2.1")
        try await expectTLSError(transport.make(trusting: certificate), certificate: certificate)
    }

    @Test(arguments: [TransportKind.curl, .nio])
    func aTrustedCertificateIsAccepted(_ transport: TransportKind) async throws {
        let certificate = try Certificate(name: "127.0.0.1")
        try await Upstream.run(certificate) { upstream in
            let network = HTTPNetwork(url: try upstream.url, transport: try transport.make(trusting: certificate))
            let environment = RelayEnvironment(network: network, log: { _ in })
            #expect(try await environment.fetch(ShipQuery(id: "ship:1")).data?.ship?.name == "Aurora")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aServerWithoutTLSIsATypedError(_ transport: TransportKind) async throws {
        try await FaultProxy.run { proxy in
            let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/graphql"))
            try await expectTLSError(proxy, url, transport.make())
        }
    }

    private func expectTLSError(_ transport: any HTTPTransport, certificate: Certificate) async throws {
        try await Upstream.run(certificate) { secure in
            try await FaultProxy.run { proxy in try await expectTLSError(proxy, try secure.url, transport) }
            #expect(await eventually { Holdings.connections(secure.port) == 0 })
        }
    }

    private func expectTLSError(_ proxy: FaultProxy, _ url: URL, _ transport: any HTTPTransport) async throws {
        let application = try await Application(proxy, transport)
        let environment = try application.copy(over: HTTPNetwork(url: url, transport: transport))
        let outcome = try await Outcome(environment, .length, .none)
        #expect(outcome.kind == .tls, "\(outcome)")
        #expect(environment.records.description == application.good)
    }
}

/// A certificate that signs itself, made for one test.
final class Certificate: Sendable {
    /// The path of its file.
    let path: String
    private let folder: URL
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    /// Makes a certificate for an address, with the command for the certificates of `Tests/Integration`.
    init(name: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path + "/certificate.pem"
        let keyPath = folder.path + "/key.pem"
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments =
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            + ["-subj", "/CN=harbour", "-addext", "subjectAltName=IP:\(name)", "-days", "2"]
            + ["-keyout", keyPath, "-out", path]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        #expect(openssl.terminationStatus == 0)
        certificate = try #require(try NIOSSLCertificate.fromPEMFile(path).first)
        key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What a client says that trusts it.
    var trusting: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([certificate])
        return configuration
    }

    /// The handler of a server with the certificate.
    func handler() throws -> NIOSSLServerHandler {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        return NIOSSLServerHandler(context: try NIOSSLContext(configuration: configuration))
    }
}
