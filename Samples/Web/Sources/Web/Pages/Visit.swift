import Baton
import HTML

/// What a page knows about its request: the data, the visitor, and what the address asks for.
struct Visit: Sendable {
    /// The environment of this request. What is written into it no other request sees.
    let environment: RelayEnvironment
    /// The signed-in visitor; nil for everybody else.
    let visitor: Visitor?
    /// The address of the page, for forms that come back to it.
    let address: WebAddress
    /// The errors of fields that the data has; a page with a hole says so.
    var hasHoles = false
    /// True for the first page after a review of this visitor has been added.
    var isThanked = false
}
