import BatonDiagnostics
import BatonSyntax

/// The whole schema in a server's answer to the introspection query.
///
/// Everything is in the order of names, because servers send the same schema in another order from one start to the
/// next. The order has no meaning in GraphQL.
package struct FetchedSchema: Sendable {
    /// The forms in which a schema is written.
    package enum Form: Hashable, Sendable {
        case sdl
        /// The answer to the introspection query.
        case json
    }

    /// Why an answer is no whole schema.
    package enum Problem: Error, Hashable, Sendable {
        /// The body is not JSON.
        case notJSON(reason: String)
        /// The server answers with errors. The flag says whether they mean that it shows its schema to nobody.
        case refused(message: String, isSwitchedOff: Bool)
        /// Something is missing.
        case partial(reason: String)
        /// It has no `__schema`.
        case noSchema
        /// It has another form than the specification says.
        case malformed(reason: String)
    }

    /// The schema as a document, sorted.
    let document: Document
    private let json: JSONValue

    /// Reads the body of an answer.
    package init(_ body: [UInt8]) throws(Problem) {
        var sources = SourceSet()
        let file = sources.add(path: "answer", bytes: body)
        let (parsed, mistakes) = JSONParser.parse(file, syntaxID: .introspection, keyID: .introspection)
        guard let node = parsed else {
            let end = mistakes.first.map { Int($0.span.end) } ?? 0
            if IntrospectionReader.recognizes(file), end >= body.count {
                throw .partial(reason: "its JSON breaks off after \(body.count) bytes")
            }
            throw .notJSON(reason: mistakes.first?.message ?? "it is empty")
        }
        try Self.checkErrors(node)
        guard let schema = node["data"]?["__schema"], schema.value != .null else { throw .noSchema }
        let (read, found) = IntrospectionReader.read(file)
        if let first = found.first(where: { $0.severity == .error }) {
            let hint = first.suggestion.map { "; \($0)" } ?? ""
            throw .malformed(reason: first.message + hint)
        }
        document = read.inOrderOfNames
        if let name = document.undefinedTypes.first {
            throw .partial(reason: "it names the type '\(name)' and does not have it")
        }
        guard document.queryTypeName != nil else { throw .partial(reason: "it has no query type") }
        json = schema.inOrderOfNames
    }

    private static func checkErrors(_ node: JSONNode) throws(Problem) {
        let errors = node["errors"]?.items ?? []
        guard let first = errors.first else { return }
        let line = first["message"]?.text?.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no message"
        let message = line.count > 200 ? line.prefix(200) + "..." : line
        if let schema = node["data"]?["__schema"], schema.value != .null {
            throw .partial(reason: "it has errors, the first of them '\(message)'")
        }
        throw .refused(message: message, isSwitchedOff: errors.contains(where: isSwitchedOff))
    }

    /// Whether an error says that introspection is not allowed. Servers have their own words for it.
    private static func isSwitchedOff(_ error: JSONNode) -> Bool {
        let code = error["extensions"]?["code"]?.text ?? ""
        let words = code + " " + (error["message"]?.text ?? "")
        // The field's name, and not the type's, which has a capital letter.
        return words.lowercased().contains("introspect") || words.contains("__schema")
    }

    /// The text of the schema's file.
    package func text(as form: Form) -> String {
        switch form {
        case .sdl:
            return Printer.print(document)
        case .json:
            let answer: JSONValue = ["data": ["__schema": json]]
            return answer.indentedText + "\n"
        }
    }
}
