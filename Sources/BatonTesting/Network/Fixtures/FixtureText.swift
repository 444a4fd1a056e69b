import Baton

/// The text of a fixture, as a person reads and edits it.
///
///     # a comment
///     === query FilmList
///     --- document
///     query FilmList($first: Int) { films(first: $first) { title } }
///     --- variables
///     {
///       "first": 2
///     }
///     --- response hasNext
///     {
///       "data": {}
///     }
///     --- pause
///     --- error httpStatus 503
///     "try later"
///
/// The document may be left out, and is not compared by `FixtureNetwork`. Lines that begin with `===` begin an exchange
/// and those with `---` a step of it. JSON never begins a line so.
package enum FixtureText {
    // MARK: - Writing

    package static func text(of exchanges: [FixtureExchange], by recorder: String = "FixtureNetwork") -> String {
        var lines = ["# Exchanges of a GraphQL network, recorded by \(recorder). This file may be edited."]
        for exchange in exchanges {
            let name = exchange.key.operationName
            lines += ["", "=== \(exchange.key.kind.rawValue)" + (name.isEmpty ? "" : " \(name)")]
            if let document = exchange.document { lines += ["--- document", spelled(document)] }
            if case .object(let members) = exchange.key.variables, !members.isEmpty {
                lines += ["--- variables", pretty(exchange.key.variables.jsonBytes)]
            }
            for step in exchange.steps { lines += self.lines(of: step) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of step: FixtureExchange.Step) -> [String] {
        switch step {
        case .response(let body, let hasNext):
            let suffix = hasNext ? " hasNext" : ""
            if (try? JSONValue.check(body)) == nil {
                return ["--- text\(suffix)", quoted(String(decoding: body, as: UTF8.self))]
            }
            return ["--- response\(suffix)", pretty(body)]
        case .pause(nil): return ["--- pause"]
        case .pause(let duration?): return ["--- pause \(max(0, duration.milliseconds))"]
        case .open: return ["--- open"]
        case .failure(let failure): return lines(of: failure)
        }
    }

    private static func lines(of failure: FixtureFailure) -> [String] {
        switch failure {
        case .httpStatus(let status, let body): ["--- error httpStatus \(status)", quoted(body)]
        case .contentType(let type, let body): ["--- error contentType \(type ?? "")", quoted(body)]
        case .noResponse: ["--- error noResponse"]
        case .timedOut: ["--- error timedOut"]
        case .cancelled: ["--- error cancelled"]
        case .transport(let text): ["--- error transport", quoted(text)]
        }
    }

    /// A document as it is, or as a JSON string if its lines could be mistaken for others.
    private static func spelled(_ document: String) -> String {
        let lines = document.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let isPlain =
            !document.hasPrefix("\"") && !document.unicodeScalars.contains("\r")
            && !lines.contains { $0.hasPrefix("---") || $0.hasPrefix("===") || $0.hasPrefix("#") }
        return isPlain ? document : quoted(document)
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).text }

    /// JSON with a member or element on each line. Numbers and strings stay as they are spelled.
    private static func pretty(_ json: [UInt8]) -> String {
        var result: [UInt8] = []
        var depth = 0
        var isEmpty = false
        func breakLine() {
            result.append(0x0A)
            result.append(contentsOf: repeatElement(0x20, count: 2 * depth))
        }
        forEachToken(of: json) { token in
            switch token.first {
            case 0x7B, 0x5B:
                if isEmpty { breakLine() }
                result.append(contentsOf: token)
                depth += 1
                isEmpty = true
            case 0x7D, 0x5D:
                depth -= 1
                if !isEmpty { breakLine() }
                result.append(contentsOf: token)
                isEmpty = false
            case 0x2C:
                result.append(0x2C)
                breakLine()
            case 0x3A: result.append(contentsOf: [0x3A, 0x20])
            default:
                if isEmpty { breakLine() }
                result.append(contentsOf: token)
                isEmpty = false
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// JSON without space between its tokens.
    static func compact(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        forEachToken(of: json) { result.append(contentsOf: $0) }
        return result
    }

    /// Divides JSON that was checked into punctuation, strings and other values.
    private static func forEachToken(of json: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var index = json.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < json.count {
            let start = index
            let byte = json[index]
            index += 1
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3A: break
            case 0x22:
                while index < json.count, json[index] != 0x22 { index += json[index] == 0x5C ? 2 : 1 }
                index = min(index + 1, json.count)
            default:
                while index < json.count, !"{}[],:\" \t\r\n".utf8.contains(json[index]) { index += 1 }
            }
            body(json[start..<index])
        }
    }
}
