/// An error of a transport that can tell what to do about it.
public protocol TransportError: Error {
    /// What to do, as whole sentences for a person. ``RelayError`` appends them to its description.
    var advice: String { get }
}
