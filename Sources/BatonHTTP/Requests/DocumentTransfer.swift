/// The form in which a request has its document.
public enum DocumentTransfer: Sendable, Hashable {
    /// The text of the document. A request without a text has its id, as `documentId`.
    case text
    /// Only the id that the compiler gave the document (trusted documents). A request without an id is refused with
    /// `RelayError.configuration`.
    case id(DocumentIDShape = .documentId)
    /// Automatic persisted queries: the SHA-256 of the text, and then the text too if the server does not know the
    /// hash.
    ///
    /// Mutations are always sent with POST, and queries with GET as these values say. A request with files has its text
    /// at once and no hash, so that files are not sent twice.
    case automatic(hashOverGET: Bool = false, textOverGET: Bool = false)

    /// Automatic persisted queries. Each attempt uses the method of the network's other queries.
    public static let automatic = automatic()
}

/// Where a server expects the id of a document.
public enum DocumentIDShape: Sendable, Hashable, CaseIterable {
    /// `"documentId": "..."` (the appendix on persisted documents of GraphQL over HTTP).
    case documentId
    /// `"id": "..."`.
    case id
    /// `"doc_id": "..."`.
    case docID
    /// `"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "..."}}`.
    case persistedQuery
}
