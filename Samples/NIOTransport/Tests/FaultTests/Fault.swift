import Foundation
import NIOHTTP1

/// What the proxy does to one response. The request names it in a header field.
enum Fault: Codable, Hashable, Sendable {
    /// The response passes as it is.
    case none
    /// Pieces of this size, with a pause before each.
    case slow(pieceSize: Int, milliseconds: Int)
    /// The end of the stream after so many bytes.
    case cut(after: Int)
    /// A reset after so many bytes.
    case reset(after: Int)
    /// Nothing more after so many bytes, while the connection stays open.
    case silent(after: Int)
    /// A `Content-Length` that is wrong by so many bytes. Everything is sent, and the connection stays open.
    case wrongLength(by: Int)
    /// A header field with a value of so many bytes.
    case longField(Int)
    /// So many header fields more.
    case manyFields(Int)
    /// The head, and then a text of 1 GB that is made on the fly.
    case flood(Framing)
    /// A byte of the body is none that UTF-8 has.
    case notUTF8
    /// A body in gzip that becomes a thousand times larger.
    case bomb
    /// Something else than HTTP.
    case notHTTP
    /// No answer. The body of the request is not read for so long.
    case deaf(milliseconds: Int)

    /// How the end of a flood is told.
    enum Framing: String, Codable, Sendable {
        case length, chunks, close
    }

    static let header = "X-Fault"

    /// The fault that a request asks for.
    init(_ head: HTTPRequestHead) throws {
        let text = head.headers.first(name: Self.header)
        self = try text.map { try JSONDecoder().decode(Fault.self, from: Data($0.utf8)) } ?? .none
    }

    /// The value of the header field.
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

    /// The same response with other fields. A name that is given replaces the field of that name.
    func with(_ fields: [(String, String)], without names: [String] = []) -> RawResponse {
        let removed = Set((fields.map(\.0) + names).map { $0.lowercased() })
        var lines = head.components(separatedBy: "\r\n").filter { line in
            !line.isEmpty && !removed.contains(line.prefix { $0 != ":" }.lowercased())
        }
        lines += fields.map { "\($0.0): \($0.1)" }
        return RawResponse(head: lines.joined(separator: "\r\n") + "\r\n\r\n", body: body)
    }
}
