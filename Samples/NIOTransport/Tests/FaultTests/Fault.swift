import Foundation
import NIOHTTP1

/// A fault in one response. A header field of the request names the fault for the proxy.
enum Fault: Codable, Hashable, Sendable {
    /// The response passes without a change.
    case none
    /// Pieces of this size, with a pause before each.
    case slow(pieceSize: Int, milliseconds: Int)
    /// The end of the stream after this number of bytes.
    case cut(after: Int)
    /// A reset after this number of bytes.
    case reset(after: Int)
    /// Silence after this number of bytes, while the connection stays open.
    case silent(after: Int)
    /// A `Content-Length` that is wrong by this number of bytes. The whole body is sent, and the connection stays open.
    case wrongLength(by: Int)
    /// A header field with a value of this number of bytes.
    case longField(Int)
    /// This number of additional header fields.
    case manyFields(Int)
    /// The head, followed by a text of 1 GB that is generated during the sending.
    case flood(Framing)
    /// A byte of the body that is invalid in UTF-8.
    case notUTF8
    /// A body in gzip that becomes a thousand times larger.
    case bomb
    /// Bytes that are not HTTP.
    case notHTTP
    /// No response. The body of the request is not read during this time.
    case deaf(milliseconds: Int)

    /// The way in which the end of a flood is marked.
    enum Framing: String, Codable, Sendable {
        case length, chunks, close
    }

    static let header = "X-Fault"

    /// The fault that the header of a request names.
    init(_ head: HTTPRequestHead) throws {
        let text = head.headers.first(name: Self.header)
        self = try text.map { try JSONDecoder().decode(Fault.self, from: Data($0.utf8)) } ?? .none
    }

    /// The value of the header field for this fault.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

/// A response in bytes.
struct RawResponse {
    /// The head with its empty line.
    var head: String
    var body: [UInt8]

    var bytes: [UInt8] { Array(head.utf8) + body }

    /// The same response with other fields. A given field replaces the field of the same name.
    func with(_ fields: [(String, String)], without names: [String] = []) -> RawResponse {
        let removed = Set((fields.map(\.0) + names).map { $0.lowercased() })
        var lines = head.components(separatedBy: "\r\n").filter { line in
            !line.isEmpty && !removed.contains(line.prefix { $0 != ":" }.lowercased())
        }
        lines += fields.map { "\($0.0): \($0.1)" }
        return RawResponse(head: lines.joined(separator: "\r\n") + "\r\n\r\n", body: body)
    }
}
