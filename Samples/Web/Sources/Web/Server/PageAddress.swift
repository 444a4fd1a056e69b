import Foundation
import HTML
import Hummingbird

/// What the address of a page says: everything that a page may know of the request that asks for it.
struct PageAddress: Sendable {
    /// What an address turns out to be.
    enum Reading {
        case page(PageAddress)
        /// The same page, under the one address that it has.
        case elsewhere(WebAddress)
        case unreadable
    }

    /// The address, as the browser sent it.
    let text: WebAddress
    /// The identifier in the path; empty if the path has none.
    let id: String
    let parameters: Parameters

    /// Nil if the query of the address cannot be read.
    init?(_ request: PageRequest, query: String?, id: String?) {
        guard let parameters = Parameters(encoded: query) else { return nil }
        self.parameters = parameters
        self.id = id.map { $0.removingPercentEncoding ?? $0 } ?? ""
        text = request.address
    }

    /// A parameter of the query.
    subscript(name: String) -> String? { parameters[name] }

    /// Reads the address of a page. A page has one address: without an empty segment, and with as few signs encoded as
    /// possible.
    static func read(_ request: PageRequest, path: String, query: String?, id: String?) -> Reading {
        let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let canonical = WebAddress(segments: segments)
        guard let address = PageAddress(request, query: query, id: id) else { return .unreadable }
        guard canonical.text == path || !request.hasAddress else {
            let rest = query.map { "?" + $0 } ?? ""
            return WebAddress(sent: canonical.text + rest).map { .elsewhere($0) } ?? .unreadable
        }
        return .page(address)
    }
}
