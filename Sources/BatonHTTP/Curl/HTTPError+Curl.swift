import BatonCurl

extension HTTPError {
    /// What libcurl says of bytes without a head, of a head that is too large, and of a line of it that is.
    private static let signsOfNoHTTP = ["HTTP/0.9", "Too large response headers", "Out of memory"]

    /// The error in the words of this module.
    static func make(curl code: Int32, _ text: String, hasResponse: Bool) -> HTTPError {
        if !hasResponse, signsOfNoHTTP.contains(where: text.contains) { return .notHTTP }
        switch Int(code) {
        case BATON_CURLE_URL_MALFORMAT, BATON_CURLE_UNSUPPORTED_PROTOCOL: return .badURL(reason: text)
        case BATON_CURLE_COULDNT_RESOLVE_HOST, BATON_CURLE_COULDNT_RESOLVE_PROXY: return .nameNotFound(reason: text)
        case BATON_CURLE_COULDNT_CONNECT: return .refused(reason: text)
        // The only time limit is that of connecting.
        case BATON_CURLE_OPERATION_TIMEDOUT: return .refused(reason: "no connection in time")
        case BATON_CURLE_WEIRD_SERVER_REPLY: return hasResponse ? .closed(reason: text) : .notHTTP
        case BATON_CURLE_SEND_FAIL_REWIND, BATON_CURLE_ABORTED_BY_CALLBACK:
            return .closed(reason: "closed by the server before its response")
        case BATON_CURLE_BAD_CONTENT_ENCODING: return .compression(reason: text)
        case BATON_CURLE_WRITE_ERROR where text.contains("unencoding"): return .compression(reason: text)
        case BATON_CURLE_RECV_ERROR where text.contains("CONNECT"): return .refused(reason: text)
        case BATON_CURLE_PARTIAL_FILE, BATON_CURLE_GOT_NOTHING, BATON_CURLE_SEND_ERROR, BATON_CURLE_RECV_ERROR,
            BATON_CURLE_HTTP2, BATON_CURLE_HTTP2_STREAM:
            return .closed(reason: text)
        case BATON_CURLE_SSL_CONNECT_ERROR, BATON_CURLE_SSL_ENGINE_NOTFOUND, BATON_CURLE_SSL_CERTPROBLEM,
            BATON_CURLE_SSL_CIPHER, BATON_CURLE_PEER_FAILED_VERIFICATION, BATON_CURLE_USE_SSL_FAILED,
            BATON_CURLE_SSL_CACERT_BADFILE, BATON_CURLE_SSL_ISSUER_ERROR, BATON_CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            BATON_CURLE_SSL_INVALIDCERTSTATUS, BATON_CURLE_SSL_CLIENTCERT:
            return .tls(reason: text)
        default: return hasResponse ? .closed(reason: text) : .failed(reason: text)
        }
    }
}
