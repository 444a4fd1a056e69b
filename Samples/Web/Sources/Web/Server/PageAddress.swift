import Foundation
import HTML
import Hummingbird

/// What the address of a page says: everything that a page may know of the request that asks for it.
struct PageAddress: Sendable {
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
}
