import Foundation

/// One captured answer over HTTP.
struct Capture: Sendable {
    let name: String
    let status: Int
    let contentType: String?
    let response: [UInt8]
    let body: [UInt8]

    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The expected outcome by another rule than that of the tested code, which looks at the text of the body.
    var expectedOutcome: String {
        let text = bodyText
        let isStream = contentType.map { $0.contains("multipart") || $0.contains("event-stream") } ?? false
        let isJSON = contentType?.contains("json") == true && !isStream
        if (200..<300).contains(status) { return isStream ? "stream" : isJSON ? "answer" : "type" }
        let isAnswer = text.hasPrefix("{\"errors\":") || text.hasPrefix("{\"errors\": ") || text.hasPrefix("{\"data\"")
        return isJSON && isAnswer && status != 406 ? "answer" : "status"
    }

    static var folder: URL? {
        var directory = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { directory.deleteLastPathComponent() }
        let folder = directory.deletingLastPathComponent().appendingPathComponent("shared/servers/captures")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    static func all() throws -> [Capture] {
        guard let folder else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            try parse(String(name.dropLast(4)), Data(contentsOf: folder.appendingPathComponent(name)))
        }
    }

    /// Joins the received pieces, and restores line ends from their notation.
    private static func parse(_ name: String, _ data: Data) throws -> Capture? {
        let bytes = Array(data)
        var received: [UInt8] = []
        var isReceiving = false
        var pieceLength = 0
        var piece: [UInt8] = []
        func endPiece() {
            if isReceiving { received += piece.prefix(pieceLength) }
            piece = []
        }
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: "<<< ".utf8) || line.starts(with: ">>> ".utf8) {
                endPiece()
                let text = String(decoding: line, as: UTF8.self)
                // The frames of WebSockets are left out.
                if text.hasPrefix("<<<"), text.contains("frame") { break }
                isReceiving = text.hasPrefix("<<<")
                let count = text.split(separator: "(").last?.prefix { $0.isNumber } ?? ""
                pieceLength = Int(count) ?? 0
            } else if line.suffix(4).elementsEqual("\\r\\n".utf8) {
                piece += line.dropLast(4) + [0x0D, 0x0A]
            } else {
                piece += line + [0x0A]
            }
        }
        endPiece()
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), status != 101
        else {
            return nil
        }
        func header(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        var body = Array(received[end.upperBound...])
        if header("transfer-encoding") == "chunked" {
            guard let whole = dechunked(body) else { return nil }
            body = whole
        } else if let length = header("content-length").flatMap({ Int($0) }) {
            guard body.count >= length else { return nil }
            // The response to the next request on a kept connection follows the body.
            received.removeLast(body.count - length)
            body.removeLast(body.count - length)
        }
        return Capture(name: name, status: status, contentType: header("content-type"), response: received, body: body)
    }

    /// The body without chunks. Nil if the last chunk is missing, for example because the client closed the connection.
    private static func dechunked(_ bytes: [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) else {
                return nil
            }
            if size == 0 { return body }
            rest = rest[end.upperBound...]
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}
