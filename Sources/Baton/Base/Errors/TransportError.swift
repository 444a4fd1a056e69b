/// An error of a transport that may come with advice.
public protocol TransportError: Error {
    /// Advice as whole sentences for a person. ``RelayError`` appends them to its description.
    var advice: String { get }
}
