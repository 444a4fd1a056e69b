import Baton
import Foundation

/// A complete HTTP response. The method `response()` decides whether it is a GraphQL response.
struct WholeResponse: Sendable {
    let head: ResponseHead
    let body: [UInt8]
    /// True if the response may be an array, because several requests were sent as one.
    var areMany = false
    /// The types of responses that the request has asked for.
    var accept: String?

    /// The number of bytes of the body that an error quotes.
    static let quotedBytes = 500

    /// Returns the response if it is a GraphQL response, and throws an error for any other response.
    ///
    /// A body of type `application/graphql-response+json` is a GraphQL response with every status. With another JSON
    /// type and an error status, the body must be an object with `data` or a list of `errors`, or else an array if the
    /// response may be one. The body of a success is not parsed here.
    ///
    /// The status 406 is always an error, which says what was asked for.
    ///
    /// Specification: https://graphql.github.io/graphql-over-http/draft/#sec-Processing-a-response
    func response() throws(RelayError) -> NetworkResponse {
        if head.status == 406 { throw failure(quoting: beginning) }
        // A single error that stands for many requests is the response to none of them.
        if areMany, !head.isSuccess, !isArray { throw failure(quoting: beginning) }
        switch head.mediaType {
        case let type? where type.name == "application/graphql-response+json":
            break
        case let type? where type.isJSON:
            if !head.isSuccess, !hasResponseShape { throw failure(quoting: beginning) }
        case nil where head.isSuccess && (start == UInt8(ascii: "{") || isArray):
            break
        default:
            if head.isSuccess { throw body.isEmpty ? empty : .contentType(head.contentType, body: beginning) }
            throw failure(quoting: beginning)
        }
        if body.isEmpty { throw head.isSuccess ? empty : failure(quoting: "") }
        return NetworkResponse(body: body, metadata: { [head] in head.metadata })
    }

    private func failure(quoting body: String) -> RelayError {
        Self.failure(head, quoting: body, accept: accept)
    }

    /// The error for a status that is no success.
    ///
    /// - Parameter accept: The types of responses that the request has asked for.
    static func failure(_ head: ResponseHead, quoting body: String, accept: String?) -> RelayError {
        if head.status == 406 { return .transport(HTTPError.notAcceptable(accept: accept ?? "", body: body)) }
        return .httpStatus(head.status, body: body, retryAfter: head.retryAfter())
    }

    private var empty: RelayError { .transport(HTTPError.emptyBody(status: head.status)) }

    /// The first byte that is not white space.
    private var start: UInt8? {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private var isArray: Bool { areMany && start == UInt8(ascii: "[") }

    private var hasResponseShape: Bool {
        if isArray { return true }
        guard start == UInt8(ascii: "{"), let object = try? JSONValue.parse(body) else { return false }
        if case .array = object["errors"] { return true }
        return object["data"] != nil
    }

    private var beginning: String {
        String(decoding: body.prefix(Self.quotedBytes), as: UTF8.self)
    }
}
