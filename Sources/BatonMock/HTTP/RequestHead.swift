import BatonHTTP

/// The head of a request while its lines come.
struct RequestHead {
    /// How the end of a body is found.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks
    }

    private var method = ""
    private var target = ""
    private var isOldVersion = false
    private var headers = HTTPHeaders()
    /// The bytes of the fields.
    var size = 0

    init() {}

    /// Reads the first line: method, target and version.
    init(_ line: [UInt8]) throws(HTTPProblem) {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), parts[0].count <= 32, !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw HTTPProblem(400, "The first line is no request of HTTP, such as 'POST /graphql HTTP/1.1'.") }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version.hasPrefix("HTTP/") else {
            throw HTTPProblem(400, "The first line does not end in a version of HTTP.")
        }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw HTTPProblem(505, "This server speaks HTTP/1.1 and HTTP/1.0.")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        isOldVersion = version == "HTTP/1.0"
    }

    var fieldCount: Int { headers.fields.count }

    /// Reads a line with a field.
    mutating func add(_ line: [UInt8]) throws(HTTPProblem) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
            throw HTTPProblem(400, "A header field is not of the form 'Name: value'.")
        }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
            throw HTTPProblem(400, "The value of a header field has a control character.")
        }
        let start = value.firstIndex { $0 != 32 && $0 != 9 } ?? value.endIndex
        let end = value[start...].lastIndex { $0 != 32 && $0 != 9 }.map { $0 + 1 } ?? start
        let name = String(decoding: line[..<colon], as: UTF8.self)
        headers.add(name, String(decoding: value[start..<end], as: UTF8.self))
    }

    /// The request without its body.
    func request() throws(HTTPProblem) -> ReceivedRequest {
        let hosts = values(of: "host")
        guard hosts.count == 1 || isOldVersion && hosts.isEmpty else {
            throw HTTPProblem(400, "A request of HTTP/1.1 has one header field 'Host'.")
        }
        return ReceivedRequest(method: method, target: target, isOldVersion: isOldVersion, headers: headers)
    }

    /// How the body ends. What two readers could understand differently is a problem (RFC 9112, 6.3).
    func framing() throws(HTTPProblem) -> Framing {
        let lengths = values(of: "content-length")
        let codings = values(of: "transfer-encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty, !isOldVersion else {
                throw HTTPProblem(400, "A request has either 'Content-Length' or 'Transfer-Encoding'.")
            }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTPProblem(501, "The only transfer coding that is read is 'chunked'.")
            }
            return .chunks
        }
        guard let text = lengths.first else {
            guard !["POST", "PUT", "PATCH"].contains(method) else {
                throw HTTPProblem(411, "A \(method) needs 'Content-Length', or 'Transfer-Encoding: chunked'.")
            }
            return .none
        }
        guard lengths.allSatisfy({ $0 == text }), !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw HTTPProblem(400, "'Content-Length' is no single number.")
        }
        guard let length = Int(text) else { return .length(.max) }
        return length == 0 ? .none : .length(length)
    }

    private func values(of name: String) -> [String] {
        headers.fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Whether bytes may be a method or the name of a field (RFC 9110, 5.6.2).
    private static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 32 && $0 < 127 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    }
}
