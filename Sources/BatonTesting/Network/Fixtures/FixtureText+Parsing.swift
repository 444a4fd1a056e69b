import Baton

extension FixtureText {
    /// Reads a text; throws `FixtureError.malformed` with the line.
    package static func exchanges(in text: String) throws(FixtureError) -> [FixtureExchange] {
        var reader = FixtureReader(text)
        return try reader.exchanges()
    }
}

private struct FixtureReader {
    private let lines: [Substring]
    private var index = 0

    init(_ text: String) {
        // Other characters that may end a line may stand in a JSON string.
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    mutating func exchanges() throws(FixtureError) -> [FixtureExchange] {
        var exchanges: [FixtureExchange] = []
        while let line = nextLine() {
            let words = line.split(separator: " ")
            guard words.first == "===" else { throw failure("expected '=== <kind> <operation>'") }
            exchanges.append(try exchange(words))
        }
        return exchanges
    }

    private mutating func exchange(_ words: [Substring]) throws(FixtureError) -> FixtureExchange {
        guard (2...3).contains(words.count), let kind = OperationKind(rawValue: String(words[1]))
        else { throw failure("expected '=== query|mutation|subscription <operation>'") }
        var variables = JSONValue.object([])
        var document: String?
        var steps: [FixtureExchange.Step] = []
        var hasEnded = false
        while let line = nextLine() {
            let words = line.split(separator: " ").map(String.init)
            if words.first == "===" {
                index -= 1
                break
            }
            guard words.first == "---", words.count > 1 else { throw failure("expected a line with '---' or '==='") }
            if words[1] == "document" {
                guard steps.isEmpty else { throw failure("the document stands before the steps") }
                document = try self.document()
                continue
            }
            if words[1] == "variables" {
                guard steps.isEmpty else { throw failure("the variables stand before the steps") }
                let bytes = try json()
                variables = try value(bytes)
                continue
            }
            guard !hasEnded else { throw failure("nothing can come after the end of the exchange") }
            let step = try step(Array(words.dropFirst()))
            steps.append(step)
            switch step {
            case .response(_, let hasNext): hasEnded = !hasNext
            case .failure, .open: hasEnded = true
            case .pause: break
            }
        }
        let key = FixtureExchange.Key(
            kind: kind, operationName: words.count == 3 ? String(words[2]) : "", variables: variables)
        return FixtureExchange(key: key, steps: steps, document: document)
    }

    private mutating func step(_ words: [String]) throws(FixtureError) -> FixtureExchange.Step {
        let arguments = Array(words.dropFirst())
        switch words[0] {
        case "response", "text":
            guard arguments.isEmpty || arguments == ["hasNext"] else { throw failure("expected 'hasNext' or nothing") }
            let body = words[0] == "text" ? Array(try string().utf8) : FixtureText.compact(try json())
            return .response(body, hasNext: !arguments.isEmpty)
        case "pause":
            if arguments.isEmpty { return .pause(nil) }
            guard arguments.count == 1, let time = Int(arguments[0]), time >= 0 else {
                throw failure("expected a number of milliseconds")
            }
            return .pause(.milliseconds(time))
        case "open": return .open
        case "error": return .failure(try error(arguments))
        default:
            throw failure(
                "'\(words[0])' is no step; there are document, variables, response, text, pause, error and open")
        }
    }

    private mutating func error(_ words: [String]) throws(FixtureError) -> FixtureFailure {
        switch words.first {
        case "httpStatus":
            guard words.count == 2, let status = Int(words[1]) else { throw failure("expected a status") }
            return .httpStatus(status, try string())
        case "contentType":
            let type = words.dropFirst().joined(separator: " ")
            return .contentType(type.isEmpty ? nil : type, try string())
        case "noResponse": return .noResponse
        case "timedOut": return .timedOut
        case "cancelled": return .cancelled
        case "transport": return .transport(try string())
        default:
            throw failure("expected httpStatus, contentType, noResponse, timedOut, cancelled or transport")
        }
    }

    // MARK: - Lines

    /// The next line that is neither empty nor a comment.
    private mutating func nextLine() -> Substring? {
        while index < lines.count {
            let line = lines[index]
            index += 1
            if !line.hasPrefix("#"), line.contains(where: { !$0.isWhitespace }) { return line }
        }
        return nil
    }

    /// The JSON that stands before the next line of the format.
    private mutating func json() throws(FixtureError) -> [UInt8] {
        let start = index
        while index < lines.count, !lines[index].hasPrefix("---"), !lines[index].hasPrefix("===") { index += 1 }
        let bytes = Array(lines[start..<index].filter { !$0.hasPrefix("#") }.joined(separator: "\n").utf8)
        do {
            try JSONValue.check(bytes)
        } catch {
            let line = start + bytes.prefix(error.offset).count { $0 == 0x0A } + 1
            throw .malformed(line: min(line, max(index, 1)), error.detail)
        }
        return bytes
    }

    /// The text that stands before the next line of the format.
    private mutating func document() throws(FixtureError) -> String {
        let start = index
        while index < lines.count, !lines[index].hasPrefix("---"), !lines[index].hasPrefix("===") { index += 1 }
        var text = lines[start..<index].joined(separator: "\n")[...]
        if text.hasPrefix("\"") {
            index = start
            return try string()
        }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private func value(_ bytes: [UInt8]) throws(FixtureError) -> JSONValue {
        guard let value = try? JSONValue.parse(bytes), case .object = value else {
            throw failure("the variables are no object")
        }
        return value
    }

    /// A JSON string; empty if there is none.
    private mutating func string() throws(FixtureError) -> String {
        let isEmpty =
            index >= lines.count || lines[index].hasPrefix("---") || lines[index].hasPrefix("===")
            || lines[index].isEmpty
        if isEmpty { return "" }
        guard case .string(let text)? = try? JSONValue.parse(try json()) else {
            throw failure("expected a JSON string")
        }
        return text
    }

    private func failure(_ detail: String) -> FixtureError { .malformed(line: index, detail) }
}
