import Baton
import BatonHTTP

/// A response that is sent in one piece.
struct MockResponse: Sendable, Equatable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    init(status: Int = 200, type: String, _ body: [UInt8]) {
        self.status = status
        headers = ["Content-Type": type]
        self.body = body
    }

    init(json: JSONValue, status: Int = 200, type: String = "application/json; charset=utf-8") {
        self.init(status: status, type: type, json.jsonBytes)
    }

    /// The bytes of the response. One to a request with HEAD has no body, but says how long it would be.
    func bytes(keepsConnection: Bool, isHead: Bool = false) -> [UInt8] {
        var head = headers
        if status != 204 { head["Content-Length"] = String(body.count) }
        return Self.head(status, head, keepsConnection: keepsConnection) + (isHead || status == 204 ? [] : body)
    }

    /// The bytes of a head, with what every response has.
    static func head(_ status: Int, _ headers: HTTPHeaders, keepsConnection: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        // The data is made up, so a page of any origin may read it.
        text += "Access-Control-Allow-Origin: *\r\nCache-Control: no-store\r\n"
        if status != 101 { text += "Connection: \(keepsConnection ? "keep-alive" : "close")\r\n" }
        return Array((text + "\r\n").utf8)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 101: "Switching Protocols"
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
