import Foundation

/// The parts of a form (`multipart/form-data`, RFC 7578), by their names.
struct FormParts {
    struct Part {
        /// Where the content stands in the body. It is not copied, since a file may be large.
        let content: Range<Int>
        /// The name of a file as the client has it; nil for a part that is no file.
        let fileName: String?
        /// The media type that the client gives; nil if it gives none.
        let type: String?
    }

    /// The number of parts that a form may have.
    static let most = 100
    /// The bytes that the header of a part may have.
    static let longestHead = 8 << 10

    private(set) var parts: [String: Part] = [:]

    init(_ body: [UInt8], boundary: String) throws(HTTPProblem) {
        guard !boundary.isEmpty, boundary.utf8.count <= 70 else {
            throw HTTPProblem(400, "'Content-Type: multipart/form-data' has a 'boundary' of 1 to 70 bytes.")
        }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter may stand at the very beginning.
        let data = Data("\r\n".utf8) + Data(body)
        guard var place = data.range(of: delimiter) else { throw Self.unfinished }
        while true {
            let rest = data[place.upperBound...]
            if rest.starts(with: Data("--".utf8)) { return }
            guard parts.count < Self.most else { throw HTTPProblem(400, "A form has at most \(Self.most) parts.") }
            guard let end = data.range(of: delimiter, in: place.upperBound..<data.endIndex) else {
                throw Self.unfinished
            }
            try add(data[place.upperBound..<end.lowerBound])
            place = end
        }
    }

    private static let unfinished = HTTPProblem(400, "The form has no end: a line with the boundary and two dashes.")

    private mutating func add(_ part: Data) throws(HTTPProblem) {
        guard let gap = part.prefix(Self.longestHead).range(of: Data("\r\n\r\n".utf8)) else {
            throw HTTPProblem(
                400, "A part of the form has no empty line behind its header, of at most \(Self.longestHead) bytes.")
        }
        let lines = String(decoding: part[..<gap.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let disposition = Self.value("content-disposition", lines),
            let name = Self.parameter("name", of: disposition)
        else {
            throw HTTPProblem(400, "A part of the form has no name: 'Content-Disposition: form-data; name=\"...\"'.")
        }
        guard parts[name] == nil else { throw HTTPProblem(400, "Two parts of the form have the same name.") }
        // The line that was put in front of the body is no part of it.
        parts[name] = Part(
            content: gap.upperBound - 2..<part.endIndex - 2, fileName: Self.parameter("filename", of: disposition),
            type: Self.value("content-type", lines))
    }

    /// The value of a field of a part's header.
    private static func value(_ name: String, _ lines: [String]) -> String? {
        lines.first { $0.lowercased().hasPrefix(name + ":") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    /// The value of a parameter in double quotes. Browsers write `%22` for a quotation mark in it.
    private static func parameter(_ name: String, of line: String) -> String? {
        guard let start = line.range(of: "; \(name)=\"") ?? line.range(of: ";\(name)=\"") else { return nil }
        var value = ""
        var isEscaped = false
        for character in line[start.upperBound...] {
            if character == "\"", !isEscaped { break }
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { value.append(character) }
        }
        return value
    }
}
