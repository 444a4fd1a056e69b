import NIOSSL

/// How a connection to Redis is made secure. The server's certificate must be valid, and name its host.
public struct RedisTLS: Sendable, Hashable {
    /// The file with the certificates, in PEM, by which the server is known; nil for those of the system.
    public var certificates: String?
    /// The files with the certificate and with the key, in PEM, by which this process is known; nil for none.
    public var identity: Identity?

    /// The certificate and the key of a process.
    public struct Identity: Sendable, Hashable {
        /// The file with the certificate.
        public var certificate: String
        /// The file with the key.
        public var key: String

        /// Names the files.
        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    /// Describes a secure connection.
    public init(certificates: String? = nil, identity: Identity? = nil) {
        (self.certificates, self.identity) = (certificates, identity)
    }

    var configuration: TLSConfiguration {
        get throws {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let certificates { configuration.trustRoots = .file(certificates) }
            if let identity {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map {
                    .certificate($0)
                }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))
            }
            return configuration
        }
    }
}
