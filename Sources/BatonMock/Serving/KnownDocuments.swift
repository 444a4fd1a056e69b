import Baton

/// The documents that a server knows by their ids, as in the file of `persistConfig`.
struct KnownDocuments: Sendable {
    private let texts: [String: String]

    init() { texts = [:] }

    /// Reads an object with texts by their ids.
    init(_ file: [UInt8]) throws {
        var texts: [String: String] = [:]
        guard let members = try JSONValue.parse(file).objectValue else {
            throw Options.Mistake(description: "The file of '--documents' is no object with texts by their ids.")
        }
        for member in members {
            guard let text = member.value.stringValue else {
                throw Options.Mistake(description: "'\(member.name)' in the file of '--documents' is no text.")
            }
            texts[member.name] = text
        }
        self.texts = texts
    }

    /// The id that a request gives its document.
    static func id(in members: JSONValue) -> String? {
        ["documentId", "id", "doc_id"].lazy.compactMap { members[$0]?.stringValue }.first
    }

    /// The text of a request: its own, or that of the document whose id it has.
    func text(of members: JSONValue) throws(HTTPProblem) -> String {
        switch members["query"] ?? .null {
        case .string(let text): return text
        case .null: break
        default: throw HTTPProblem(400, "'query' is a string.")
        }
        if let id = Self.id(in: members) {
            if let text = texts[id] { return text }
            throw HTTPProblem(
                400, "No document has the id '\(id.prefix(100))'. Start with '--documents FILE', or send the text.")
        }
        if let persisted = members["extensions"]?["persistedQuery"] {
            if let text = persisted["sha256Hash"]?.stringValue.flatMap({ texts[$0] }) { return text }
            // A client with automatic persisted queries sends the text then.
            throw HTTPProblem(200, "PersistedQueryNotFound")
        }
        throw HTTPProblem(400, "'query' is missing: the text of the operation.")
    }
}
