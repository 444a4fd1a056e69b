/// An error of a transport that may come with advice.
public protocol TransportError: Error {
    /// Advice as whole sentences for a person. ``RelayError`` appends them to its description.
    var advice: String { get }
    /// What became of the request, in words that stand before a colon and the error: ``RelayError`` begins its
    /// description with them. The default is `The request got no response`; other errors have the response, or never
    /// sent the request.
    var outcome: String { get }
    /// The status with which a server that renders pages answers after this error: 502 for a bad response, which is the
    /// default, 503 if the other server cannot be reached, 504 if it did not answer in time.
    var gatewayStatus: Int { get }
    /// The kind that a ``RelayError`` with this error has. The default is ``RelayError/Kind/network``; an error of a
    /// network that could not send what the program asked for is a ``RelayError/Kind/misuse``, one that found the
    /// response wrong is about the ``RelayError/Kind/data``.
    var kind: RelayError.Kind { get }
}

extension TransportError {
    /// 502: the response of the other server is of no use.
    public var gatewayStatus: Int { 502 }
    /// The network: no response arrived.
    public var kind: RelayError.Kind { .network }
    /// The request was sent, or was to be sent, and brought nothing.
    public var outcome: String { "The request got no response" }
}
