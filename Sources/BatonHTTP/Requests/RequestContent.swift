import Baton
import Foundation

/// The parameters of a GraphQL request, as JSON for a body or as the query of a URL.
///
/// Specification: https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
struct RequestContent: Sendable {
    /// The document of a request, in the form in which the request has it.
    enum Document: Sendable, Hashable {
        case text(String)
        case id(String, DocumentIDShape)
        /// The text, and the id that the compiler gave the document.
        case textWithID(String, String)
        /// The text and its hash. The server keeps the text under the hash.
        case textWithHash(String, String)
    }

    let operationName: String
    let variables: [JSONValue.Member]
    let document: Document
    /// The request's `extensions`, apart from the hash of the document.
    private(set) var extensions: [JSONValue.Member]

    init(_ request: NetworkRequest, _ document: Document, extensions: [JSONValue.Member] = []) {
        operationName = request.operationName
        variables = request.variables
        self.document = document
        self.extensions = extensions
    }

    /// Makes the parameters without hashes of automatic persisted queries.
    ///
    /// - Parameter shape: Where the server expects the id, which is sent without the text. Nil to send the text, and
    ///   the id beside the text if there is one.
    /// - Throws: `RelayError.configuration` for a request that lacks the text or the id to be sent.
    init(
        _ request: NetworkRequest, ids shape: DocumentIDShape?, extensions: [JSONValue.Member] = []
    ) throws(RelayError) {
        let document: Document
        switch (shape, request.text, request.documentID) {
        case (let shape?, _, let id?): document = .id(id, shape)
        case (nil, let text?, let id?): document = .textWithID(text, id)
        case (nil, let text?, nil): document = .text(text)
        case (nil, nil, let id?): document = .id(id, .documentId)
        case (_?, _, nil), (nil, nil, nil): throw Self.withoutID(request)
        }
        self.init(request, document, extensions: extensions)
    }

    /// The same parameters with further extensions.
    func adding(_ extensions: [JSONValue.Member]) -> RequestContent {
        var content = self
        content.extensions += extensions
        return content
    }

    /// The error for a request whose document has no id.
    static func withoutID(_ request: NetworkRequest) -> RelayError {
        .configuration(
            "'\(request.operationName)' has no id. Compile it with 'persistConfig', or let the network send texts.")
    }

    /// The members of the request that have a value.
    private var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        members.reserveCapacity(4)
        var hash: String?
        switch document {
        case .text(let text):
            members.append(.init("query", .string(text)))
        case .textWithID(let text, let id):
            members.append(.init("documentId", .string(id)))
            members.append(.init("query", .string(text)))
        case .textWithHash(let text, let value):
            members.append(.init("query", .string(text)))
            hash = value
        case .id(let id, .documentId): members.append(.init("documentId", .string(id)))
        case .id(let id, .id): members.append(.init("id", .string(id)))
        case .id(let id, .docID): members.append(.init("doc_id", .string(id)))
        case .id(let id, .persistedQuery): hash = id
        }
        // An empty name stands for an operation without one.
        if !operationName.isEmpty { members.append(.init("operationName", .string(operationName))) }
        if !variables.isEmpty { members.append(.init("variables", .object(variables))) }
        var extensions = extensions
        if let hash {
            let persisted = JSONValue.object([.init("version", 1), .init("sha256Hash", .string(hash))])
            extensions.append(.init("persistedQuery", persisted))
        }
        if !extensions.isEmpty { members.append(.init("extensions", .object(extensions))) }
        return members
    }

    /// The JSON body of a POST.
    var json: [UInt8] { JSONValue.object(members).jsonBytes }

    /// The JSON of a multipart request, in which the variables at the given places are null.
    func json(withNullAt places: [UploadPlace]) throws(RelayError) -> [UInt8] {
        var members = members
        let index = members.firstIndex { $0.name == "variables" } ?? members.endIndex
        if index == members.endIndex { members.append(.init("variables", .object([]))) }
        for place in places { try place.setNull(in: &members[index].value) }
        return JSONValue.object(members).jsonBytes
    }

    /// The URL of a GET: the parameters follow those of the endpoint. Nil if the URL would have more than `limit`
    /// bytes.
    ///
    /// Equal requests have equal URLs: the members of objects are sorted, and the parameters have a fixed order.
    func url(at endpoint: URL, limit: Int) -> URL? {
        // Members that are too long are not encoded, because the encoding could be megabytes.
        let members = members
        guard !Self.isLonger(members, than: limit) else { return nil }
        guard var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else { return nil }
        let added = members.map { member in
            let text = if case .string(let text) = member.value { text } else { member.value.canonicalText }
            return "\(member.name)=\(Self.percentEncoded(text))"
        }.joined(separator: "&")
        let present = components.percentEncodedQuery ?? ""
        components.percentEncodedQuery = present.isEmpty ? added : "\(present)&\(added)"
        components.fragment = nil
        guard let url = components.url, url.absoluteString.utf8.count <= limit else { return nil }
        return url
    }

    /// True if the JSON of these members certainly has more bytes than a limit. The cost is bounded by the limit.
    static func isLonger(_ members: [JSONValue.Member], than limit: Int) -> Bool {
        var rest = limit
        var open = [JSONValue.object(members)]
        while let value = open.popLast() {
            // Each value has at least one byte.
            rest -= 1
            switch value {
            case .string(let text): rest -= text.utf8.count
            case .array(let values):
                if values.count > rest { return true }
                open += values
            case .object(let members):
                if members.count > rest { return true }
                for member in members {
                    rest -= member.name.utf8.count
                    open.append(member.value)
                }
            default: break
            }
            if rest < 0 { return true }
        }
        return false
    }

    /// Encodes every byte that is not unreserved (RFC 3986, 2.3), so that no server reads a plus sign as a space.
    static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension NetworkRequest {
    /// The idempotency key as a member of `extensions`, for a message without header fields of its own. Empty for an
    /// operation without a key.
    var keyExtensions: [JSONValue.Member] {
        idempotencyKey.map { [.init("idempotencyKey", .string($0))] } ?? []
    }
}
