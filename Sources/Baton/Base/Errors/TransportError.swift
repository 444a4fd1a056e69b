/// An error of a transport that can tell what to do about it.
public protocol TransportError: Error {
    /// Advice as whole sentences for a person. ``RelayError`` appends them to its description.
    var advice: String { get }
}
