import BatonCompiler
import BatonDiagnostics

extension FetchFailure {
    /// What is wrong with an answer by its status and its kind; nil if its body is to be read.
    ///
    /// - Parameter accept: The types of answers that were asked for.
    init?(_ answer: ServerAnswer, _ address: ServerAddress, accept: String) {
        let server = "'\(address.displayed)'"
        let status = answer.status
        let page = Self.title(of: answer)
        switch status {
        case 401, 403:
            let asked =
                answer.fields["www-authenticate"].map { "; it asks for '\(String($0.prefix(100)).printable)'" } ?? ""
            self.init(
                "\(server) refuses without the right credentials (status \(status))\(asked)",
                suggestion: "--header 'Authorization: Bearer $TOKEN' sends the value of the variable TOKEN")
        case 406:
            let line = Self.firstLine(of: answer.body)
            self.init(
                "\(server) gives no answer of the types that were asked for (status 406); sent was 'Accept: "
                    + "\(accept.printable)'" + (line.isEmpty ? "" : ": '\(line)'"),
                suggestion: "--header 'Accept: application/json' asks for another type")
        case 407:
            self.init(
                "the proxy wants credentials (status 407)",
                suggestion: "the variables 'http_proxy' and 'https_proxy' may have them: http://user:password@host:port"
            )
        case 404, 410:
            self.init("there is nothing at \(server) (status \(status))", suggestion: "is its path '/graphql'?")
        case 429, 502, 503, 504:
            let seconds = answer.fields["retry-after"].flatMap { Int($0) }.map { max($0, 0) }
            let wait = seconds.map { "; it asks to wait for \($0) seconds" } ?? ""
            let says = status == 429 ? "has had too many requests" : "is not ready"
            self.init("\(server) \(says) (status \(status))\(wait)", isTransient: true, pause: seconds)
        default:
            if let page {
                let name = page.isEmpty ? "" : " called '\(page)'"
                self.init(
                    "\(server) answers with a web page\(name) (status \(status)), not with JSON",
                    suggestion: "the URL of the page for people is often another than that of the server")
                return
            }
            // GraphQL over HTTP has statuses from 400 on for requests that the server refuses, with errors in the body.
            let isReadable = (200...299).contains(status) || Self.looksLikeJSON(answer.body)
            if isReadable { return nil }
            let line = Self.firstLine(of: answer.body)
            self.init("\(server) answers with status \(status)" + (line.isEmpty ? "" : ": '\(line)'"))
        }
    }

    /// What is wrong with the body of an answer.
    static func make(
        _ problem: FetchedSchema.Problem, _ answer: ServerAnswer, _ address: ServerAddress
    ) -> FetchFailure {
        let server = "'\(address.displayed)'"
        switch problem {
        case .notJSON(let reason):
            let line = firstLine(of: answer.body)
            let begins = line.isEmpty ? "it is empty" : "\(reason.printable); it begins with '\(line)'"
            return FetchFailure("the answer of \(server) is not JSON: \(begins)")
        case .refused(let message, true):
            return FetchFailure(
                "\(server) does not show its schema: introspection is switched off ('\(message.printable)')",
                suggestion: "take the file from the server's repository, or ask for a server or a token that may")
        case .refused(let message, false):
            return FetchFailure("\(server) refuses the introspection query: '\(message.printable)'")
        case .partial(let reason):
            return FetchFailure("the answer of \(server) is only a part of a schema: \(reason.printable)")
        case .noSchema:
            return FetchFailure("the answer of \(server) has no '__schema'", suggestion: "is it a GraphQL server?")
        case .malformed(let reason):
            return FetchFailure("the answer of \(server) is no schema: \(reason.printable)")
        }
    }

    private static func looksLikeJSON(_ body: [UInt8]) -> Bool {
        body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// The title of a web page, or an empty text for a page without one; nil if the answer is none.
    private static func title(of answer: ServerAnswer) -> String? {
        let type = answer.fields["content-type"]?.lowercased() ?? ""
        let start = String(decoding: answer.body.prefix(4_096), as: UTF8.self)
        let isMarkup = start.first { !$0.isWhitespace } == "<"
        guard type.hasPrefix("text/html") && !looksLikeJSON(answer.body) || isMarkup else { return nil }
        guard let open = start.firstRange(of: "<title>"), let close = start.firstRange(of: "</title>"),
            open.upperBound <= close.lowerBound
        else { return "" }
        return shortened(start[open.upperBound..<close.lowerBound])
    }

    private static func firstLine(of body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(1_024), as: UTF8.self)
        return shortened(text.split(whereSeparator: \.isNewline).first ?? "")
    }

    private static func shortened(_ text: Substring) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (words.count > 80 ? words.prefix(80) + "..." : words).printable
    }
}
