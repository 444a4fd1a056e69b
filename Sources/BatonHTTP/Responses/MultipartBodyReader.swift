import Baton
import Foundation

/// Reads `multipart/mixed`: a response in parts, or the events of a subscription.
///
/// A response is returned as soon as its JSON object is complete, because some servers send the delimiter only with the
/// next part. The header fields and the lengths of parts are ignored. Bytes after the last delimiter are not read.
///
/// The reader accepts two habits of servers. The opening delimiter may be missing, and an empty line may stand between
/// a delimiter and the header fields.
///
/// Specification: RFC 2046, section 5.1
struct MultipartBodyReader: BodyReader {
    /// The part of the body in which the current line stands.
    private enum Place: Sendable {
        /// Before the first delimiter. Text is ignored.
        case preamble
        /// After a delimiter, before the JSON.
        case header
        /// In the JSON object of a part.
        case object(JSONObjectScanner)
        /// After the JSON. Only white space may follow up to the next delimiter.
        case afterObject

        var isAfterObject: Bool {
            if case .afterObject = self { true } else { false }
        }
    }

    private let limit: Int
    private let delimiter: [UInt8]
    private let closingDelimiter: [UInt8]
    private var payloads: StreamedPayloads
    private var place = Place.preamble
    private var part: [UInt8] = []
    /// The beginning of the current line outside of JSON. A long line is cut.
    private var line: [UInt8] = []
    private var isLineBlank = true
    private var hasHeader = false
    /// The number of bytes since the last object.
    private var bytesBetween = 0
    private var received = 0

    var isOver: Bool { payloads.isOver }
    var isWhole: Bool { payloads.isWhole }

    /// - Parameters:
    ///   - contentType: The value of `Content-Type`, with the parameter `boundary`; `-` if there is none.
    ///   - limit: The greatest number of bytes of a part, and of the bytes between two parts.
    init(contentType: String, kind: OperationKind, limit: Int) {
        self.limit = limit
        delimiter = Array("--\(Self.boundary(of: contentType))".utf8)
        closingDelimiter = delimiter + Array("--".utf8)
        payloads = StreamedPayloads(kind: kind)
    }

    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse] {
        if let failure = payloads.failure { throw failure }
        received += piece.count
        var responses: [NetworkResponse] = []
        piece.withUnsafeBufferPointer { scan($0, &responses) }
        // The responses before the error are returned first. The error is thrown at the next read, or at the end.
        if responses.isEmpty, let failure = payloads.failure { throw failure }
        return responses
    }

    mutating func end() throws -> [NetworkResponse] {
        if !isOver { endLine() }
        if let failure = payloads.failure { throw failure }
        guard isOver || payloads.isWhole else {
            throw RelayError.StreamError.closedEarly(responses: payloads.responses, bytes: received)
        }
        return []
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ responses: inout [NetworkResponse]) {
        var index = 0
        while index < bytes.count, !isOver {
            if case .object(let scanner) = place {
                index = scanObject(scanner, bytes, from: index, &responses)
                continue
            }
            let byte = bytes[index]
            if byte == UInt8(ascii: "{"), isLineBlank, !place.isAfterObject {
                place = .object(JSONObjectScanner())
                continue
            }
            index += 1
            takeLineByte(byte)
        }
    }

    // MARK: - Objects

    private mutating func scanObject(
        _ scanner: JSONObjectScanner, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int,
        _ responses: inout [NetworkResponse]
    ) -> Int {
        var scanner = scanner
        let end: Int?
        do throws(JSONObjectScanner.Problem) {
            end = try scanner.end(in: bytes, from: start)
        } catch {
            refuse(error == .delimiter ? "it ends before its JSON does" : "a control character stands in a string")
            return bytes.count
        }
        let next = end ?? bytes.count
        guard part.count + (next - start) <= limit else {
            payloads.fail(.partTooLarge(limit: limit))
            part = []
            return next
        }
        part.append(contentsOf: bytes[start..<next])
        guard end != nil else {
            place = .object(scanner)
            return next
        }
        if let response = payloads.take(part) { responses.append(response) }
        part = []
        (bytesBetween, line, isLineBlank) = (0, [], true)
        place = .afterObject
        return next
    }

    private mutating func refuse(_ detail: String) {
        payloads.fail(.malformedPart(payloads.count + 1, detail))
        (part, line) = ([], [])
    }

    // MARK: - Lines

    private mutating func takeLineByte(_ byte: UInt8) {
        bytesBetween += 1
        guard bytesBetween <= limit else { return payloads.fail(.partTooLarge(limit: limit)) }
        if byte == UInt8(ascii: "\n") { return endLine() }
        isLineBlank = isLineBlank && Self.isBlank(byte)
        // A longer line is no delimiter. Of a header field, only the name matters.
        if line.count < closingDelimiter.count + Self.keptBytes { line.append(byte) }
        if line.count == closingDelimiter.count, line == closingDelimiter { payloads.end() }
    }

    private mutating func endLine() {
        let isBlank = isLineBlank
        let end = line.lastIndex { !Self.isBlank($0) } ?? -1
        let isDelimiter = end + 1 == delimiter.count && line.starts(with: delimiter)
        let isHeader = Self.isHeader(line)
        let isContinuation = hasHeader && (line.first == 0x20 || line.first == 0x09)
        line.removeAll(keepingCapacity: true)
        isLineBlank = true
        if isDelimiter {
            (place, hasHeader) = (.header, false)
            return
        }
        switch place {
        case .header where !isBlank:
            hasHeader = hasHeader || isHeader
            if !isHeader, !isContinuation { refuse("expected '{'") }
        case .afterObject where !isBlank: refuse("expected a delimiter after the JSON")
        default: break
        }
    }

    private static let keptBytes = 128

    /// True for white space, and for the bytes of a byte order mark.
    private static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0D, 0xEF, 0xBB, 0xBF: true
        default: false
        }
    }

    /// Whether a line begins with a name and a colon (RFC 9110, section 5.1).
    private static func isHeader(_ line: [UInt8]) -> Bool {
        let name = line.prefix { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
        return !name.isEmpty && line.dropFirst(name.count).first { $0 != 0x20 } == UInt8(ascii: ":")
    }
}

extension MultipartBodyReader {
    /// The parameter `boundary` of a media type; `-` if there is none.
    ///
    /// A server may write a comma and another media type behind the parameters.
    static func boundary(of contentType: String) -> String {
        var rest = Array(contentType.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: ";")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix { !";=,".utf8.contains($0) }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            let value = takeValue(&rest)
            let isBoundary =
                String(decoding: name, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased() == "boundary"
            if isBoundary, !value.isEmpty { return String(decoding: value, as: UTF8.self) }
        }
        return "-"
    }

    /// Takes `=` and a token or a quoted string.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        rest = rest.dropFirst().drop { $0 == 0x20 }
        guard rest.first == UInt8(ascii: "\"") else {
            let value = rest.prefix { !";, \t".utf8.contains($0) }
            rest = rest.dropFirst(value.count)
            return Array(value)
        }
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return value
    }
}
