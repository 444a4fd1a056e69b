import BatonCurl

/// How a transfer over libcurl has failed: the code, and the numbers that tell apart what has the same code.
///
/// The words of libcurl differ between versions, so that nothing depends on them.
struct CurlEnd {
    let code: Int32
    /// What the library says, for a person to read.
    let text: String
    /// Whether the head of a response has come in whole.
    var hasResponse = false
    /// Whether a byte of the request has gone out.
    var wasSent = false
    /// The status with which a proxy has answered the request for a tunnel; 0 if there was none.
    var tunnelStatus = 0
    /// The bytes that have come in of heads.
    var headBytes = 0
}

extension HTTPError {
    /// libcurl takes heads of up to 300 KB, and lines of up to 100 KB. A head that it refuses has more bytes than this.
    private static let largeHead = 200 << 10

    /// The error in the words of this module.
    static func make(_ end: CurlEnd) -> HTTPError {
        let (text, hasResponse) = (end.text, end.hasResponse)
        switch Int(end.code) {
        // Once the request is on its way, the line of the status is what is not supported.
        case BATON_CURLE_UNSUPPORTED_PROTOCOL where end.wasSent: return hasResponse ? .closed(reason: text) : .notHTTP
        case BATON_CURLE_URL_MALFORMAT, BATON_CURLE_UNSUPPORTED_PROTOCOL: return .badURL(reason: text)
        case BATON_CURLE_COULDNT_RESOLVE_HOST, BATON_CURLE_COULDNT_RESOLVE_PROXY: return .nameNotFound(reason: text)
        case BATON_CURLE_COULDNT_CONNECT: return .refused(reason: text)
        // The only time limit is that of connecting.
        case BATON_CURLE_OPERATION_TIMEDOUT: return .refused(reason: "no connection in time")
        case BATON_CURLE_WEIRD_SERVER_REPLY: return hasResponse ? .closed(reason: text) : .notHTTP
        // A line that is too long is told as missing memory by older versions.
        case BATON_CURLE_OUT_OF_MEMORY where end.wasSent && !hasResponse,
            BATON_CURLE_TOO_LARGE where end.wasSent && !hasResponse,
            BATON_CURLE_RECV_ERROR where end.headBytes > largeHead && !hasResponse:
            return .notHTTP
        case BATON_CURLE_SEND_FAIL_REWIND, BATON_CURLE_ABORTED_BY_CALLBACK:
            return .closed(reason: "closed by the server before its response")
        case BATON_CURLE_BAD_CONTENT_ENCODING: return .compression(reason: text)
        // No callback has refused anything, so that it was the library's decoder.
        case BATON_CURLE_WRITE_ERROR where hasResponse:
            return .compression(reason: "something follows the compressed content, such as a second member of gzip")
        case BATON_CURLE_RECV_ERROR where end.tunnelStatus != 0 && !(200..<300).contains(end.tunnelStatus):
            return .refused(reason: text)
        case BATON_CURLE_PARTIAL_FILE, BATON_CURLE_GOT_NOTHING, BATON_CURLE_SEND_ERROR, BATON_CURLE_RECV_ERROR,
            BATON_CURLE_HTTP2, BATON_CURLE_HTTP2_STREAM:
            return .closed(reason: text)
        // A private key that cannot be read, say for another password, in 8.23. Options are checked when they are set.
        case BATON_CURLE_BAD_FUNCTION_ARGUMENT where !end.wasSent: return .tls(reason: text)
        case BATON_CURLE_SSL_CONNECT_ERROR, BATON_CURLE_SSL_ENGINE_NOTFOUND, BATON_CURLE_SSL_CERTPROBLEM,
            BATON_CURLE_SSL_CIPHER, BATON_CURLE_PEER_FAILED_VERIFICATION, BATON_CURLE_USE_SSL_FAILED,
            BATON_CURLE_SSL_CACERT_BADFILE, BATON_CURLE_SSL_ISSUER_ERROR, BATON_CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            BATON_CURLE_SSL_INVALIDCERTSTATUS, BATON_CURLE_SSL_CLIENTCERT:
            return .tls(reason: text)
        default: return hasResponse ? .closed(reason: text) : .failed(reason: text)
        }
    }
}
