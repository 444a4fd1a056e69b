import Baton
import Foundation

/// A complete HTTP response, before `response()` decides whether it is a GraphQL response.
struct HTTPAnswer: Sendable {
    let status: Int
    /// The value of `Content-Type`.
    let contentType: String?
    /// The value of `Location`.
    let location: String?
    let body: [UInt8]

    /// The number of bytes of the body that an error quotes.
    static let quotedBytes = 500

    /// Returns the response if it is a GraphQL response, and throws an error for any other response.
    ///
    /// A body of type `application/graphql-response+json` is a GraphQL response with every status. With another JSON
    /// type and an error status, the body must be an object with `data` or a list of `errors`. The body of a success is
    /// not parsed here.
    ///
    /// Specification: https://graphql.github.io/graphql-over-http/draft/#sec-Processing-a-response
    func response() throws(RelayError) -> NetworkResponse {
        let isSuccess = (200..<300).contains(status)
        switch mediaType {
        case "application/graphql-response+json":
            break
        case let type? where Self.isJSON(type):
            if !isSuccess, !hasResponseShape { throw .httpStatus(status, body: beginning) }
        case nil where isSuccess && startsAsObject:
            break
        default:
            if isSuccess { throw body.isEmpty ? .noResponse : .contentType(contentType, body: beginning) }
            throw .httpStatus(status, body: beginning)
        }
        if body.isEmpty { throw isSuccess ? .noResponse : .httpStatus(status, body: "") }
        return NetworkResponse(body: body, metadata: ["status": String(status)])
    }

    /// The type and subtype of `Content-Type` in lower case, without parameters.
    private var mediaType: String? {
        guard let contentType else { return nil }
        let type = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return type.isEmpty ? nil : type
    }

    private static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    private var startsAsObject: Bool {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    private var hasResponseShape: Bool {
        guard startsAsObject, let object = try? JSONValue.parse(body) else { return false }
        if case .array = object["errors"] { return true }
        return object["data"] != nil
    }

    private var beginning: String {
        String(decoding: body.prefix(Self.quotedBytes), as: UTF8.self)
    }
}
