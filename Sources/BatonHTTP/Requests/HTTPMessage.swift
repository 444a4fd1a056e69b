import Baton
import Foundation

/// The HTTP request with one operation, or with several.
///
/// This type is a class so that the task that waits for the response keeps a single reference.
final class HTTPMessage: Sendable {
    /// The request. If there is a form, the request has no body.
    let request: HTTPRequest
    /// The body of a request with files, which is made again for each sending.
    let form: MultipartForm?
    /// Whether the document is a hash that the server may not know.
    let hashMayBeUnknown: Bool
    /// Whether the body is an array of requests, so that the response may be an array too.
    let hasManyRequests: Bool

    /// Chooses the method, and encodes the parameters of the request.
    ///
    /// - Throws: `RelayError.configuration` for headers or files that cannot be sent; ``HTTPError`` for a missing file.
    init(
        _ request: NetworkRequest, _ document: RequestContent.Document, _ headers: [String: String],
        to network: HTTPNetwork, overGET: Bool, hashMayBeUnknown: Bool
    ) throws {
        let content = RequestContent(request, document)
        let uploads = request.configuration.uploads
        var fields: HTTPHeaders = ["Accept": Self.accept(request)]
        var ownFields: HTTPHeaders = [:]
        let target =
            overGET && request.kind == .query && uploads.isEmpty
            ? content.url(at: network.url, limit: network.maximumURLLength) : nil
        form = uploads.isEmpty ? nil : try MultipartForm(content, uploads)
        if let form {
            ownFields["Content-Type"] = form.contentType
        } else if target == nil {
            fields["Content-Type"] = "application/json"
        }
        if target != nil || form != nil {
            // Guards against forged requests accept files and GET only with a field that pages of other origins cannot
            // set.
            fields["Apollo-Require-Preflight"] = "true"
            fields["GraphQL-Preflight"] = "1"
        }
        try Self.add(headers, to: &fields)
        for field in ownFields.fields { fields[field.name] = field.value }
        let isGET = target != nil
        self.request = HTTPRequest(
            isGET ? .get : .post, target ?? network.url, headers: fields,
            body: isGET || form != nil ? .none : .bytes(content.json))
        self.hashMayBeUnknown = hashMayBeUnknown
        hasManyRequests = false
    }

    /// Encodes several requests as an array.
    ///
    /// - Throws: `RelayError.configuration` for headers that cannot be sent.
    init(together contents: [RequestContent], _ headers: [String: String], to network: HTTPNetwork) throws {
        var fields: HTTPHeaders = ["Accept": Self.acceptedTypes, "Content-Type": "application/json"]
        try Self.add(headers, to: &fields)
        let elements = contents.map(\.json).joined(separator: CollectionOfOne(UInt8(ascii: ",")))
        let body = [UInt8(ascii: "[")] + elements + [UInt8(ascii: "]")]
        request = HTTPRequest(.post, network.url, headers: fields, body: .bytes(body))
        form = nil
        hashMayBeUnknown = false
        hasManyRequests = true
    }

    private static func add(_ headers: [String: String], to fields: inout HTTPHeaders) throws {
        for (name, value) in headers.isEmpty ? [] : headers.sorted(by: { $0.key < $1.key }) {
            guard isToken(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw RelayError.configuration("The header '\(name)' has a name or a value that HTTP does not allow.")
            }
            fields[name] = value
        }
    }

    private static let acceptedTypes = "application/graphql-response+json, application/json;q=0.9"

    /// The accepted types of responses, the preferred one first.
    ///
    /// Some servers look only at the first type, and others ignore weights. Types of streams are therefore first for an
    /// operation with several responses, and absent for any other.
    ///
    /// Of incremental delivery there are two formats, and both are read. Apollo Server from 5.2 refuses the older one,
    /// where the first of them counts; older servers know only the older one, and want to find it anywhere. Neither has
    /// a weight, because some servers compare whole entries. The bare type is for servers that know no parameter, and
    /// must weigh less, because Apollo Server takes it for a client that names no format.
    private static func accept(_ request: NetworkRequest) -> String {
        if request.kind == .subscription {
            return "multipart/mixed;subscriptionSpec=1.0, text/event-stream;q=0.9, "
                + "application/graphql-response+json;q=0.8, application/json;q=0.7"
        }
        if request.isIncremental {
            return "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, "
                + "multipart/mixed;q=0.9, text/event-stream;q=0.8, "
                + "application/graphql-response+json;q=0.7, application/json;q=0.6"
        }
        return acceptedTypes
    }

    /// Whether the text may be the name of a field (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    }
}
