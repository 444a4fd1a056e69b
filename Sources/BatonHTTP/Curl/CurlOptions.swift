import Baton
import BatonCurl
public import Foundation

/// How the transports over libcurl connect: certificates, proxies, sockets of the file system.
public struct CurlOptions: Sendable, Hashable {
    /// Which proxy requests go through.
    public enum Proxy: Sendable, Hashable {
        /// The one that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name, also in capitals;
        /// only `HTTP_PROXY` is not read, since a program that serves CGI has what a client says in it.
        case environment
        /// None, whatever the variables say.
        case none
        /// This one: `http`, `https` or `socks5`, with a user and a password if it asks for them.
        case url(URL)
    }

    /// The path of a file with the certificates to trust (PEM), in place of those of the system.
    public var authorities: String?
    /// The path of a file with the certificate to show to servers (PEM).
    public var certificate: String?
    /// The path of a file with the key of `certificate` (PEM); nil if that file has it.
    public var certificateKey: String?
    /// The password of the key; nil if it has none.
    public var keyPassword: String?
    /// The SHA-256 of the public keys that a server may have, in Base64; empty if it may have any. A certificate must
    /// be trusted as well.
    public var pinnedKeys: [String] = []
    /// Which proxy requests go through.
    public var proxy = Proxy.environment
    /// The path of a Unix socket to connect to, in place of the host of the URL.
    public var unixSocket: String?
    /// The longest time for one attempt to connect, with names, proxy and TLS.
    public var connectTimeout = Duration.seconds(30)

    /// Makes the usual options.
    public init() {}
}

extension CurlOptions {
    /// Sets a handle up to connect like this.
    func apply(to easy: CurlLibrary.Easy) {
        if let authorities { easy.set(BATON_CURLOPT_CAINFO, authorities) }
        if let certificate { easy.set(BATON_CURLOPT_SSLCERT, certificate) }
        if let certificateKey { easy.set(BATON_CURLOPT_SSLKEY, certificateKey) }
        if let keyPassword { easy.set(BATON_CURLOPT_KEYPASSWD, keyPassword) }
        if !pinnedKeys.isEmpty {
            easy.set(BATON_CURLOPT_PINNEDPUBLICKEY, pinnedKeys.map { "sha256//\($0)" }.joined(separator: ";"))
        }
        switch proxy {
        case .environment: break
        case .none: easy.set(BATON_CURLOPT_PROXY, "")
        case .url(let url): easy.set(BATON_CURLOPT_PROXY, url.absoluteString)
        }
        if let unixSocket { easy.set(BATON_CURLOPT_UNIX_SOCKET_PATH, unixSocket) }
        // Zero would be the library's own limit.
        easy.set(BATON_CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(connectTimeout.milliseconds, 1), Int(Int32.max))))
        easy.set(BATON_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }
}
