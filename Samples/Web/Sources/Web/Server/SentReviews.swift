import Hummingbird

/// The reviews of a film that a browser has sent: their digests, in a cookie of its own.
///
/// So a review that is sent again, from a page that was loaded again meanwhile and to whatever process, is not added
/// twice.
///
/// Beside the digest of a review of which nobody knows whether it was added stands its key. Whatever key the form has
/// when it is sent again, the review keeps its own.
struct SentReviews: Sendable {
    private static let name = "sent"
    private static let most = 8
    /// The time in which somebody goes back and sends the same again.
    private static let lifetime = 12 * 3_600

    private struct Entry: Sendable {
        let digest: String
        /// Nil once the review was added.
        let key: Token?

        var text: String { key.map { "\(digest)-\($0.text)" } ?? digest }

        init(digest: String, key: Token?) { (self.digest, self.key) = (digest, key) }

        /// Reads what the browser has sent back; nil for anything else.
        init?(_ text: Substring) {
            let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            (digest, key) = (parts[0], parts.count > 1 ? Token(sent: parts[1]) : nil)
            if parts.count > 1, key == nil { return nil }
        }
    }

    private var entries: [Entry]

    init(_ request: Request) {
        entries = request.cookies[Self.name]?.value.split(separator: ".").prefix(Self.most).compactMap(Entry.init) ?? []
    }

    private func entry(_ form: ReviewForm, _ film: String) -> Entry? {
        let digest = form.digest(film)
        return entries.first { $0.digest == digest }
    }

    /// True if the review was added.
    func has(_ form: ReviewForm, of film: String) -> Bool { entry(form, film).map { $0.key == nil } ?? false }

    /// The key under which the review was sent, if nobody knows what became of it.
    func key(of form: ReviewForm, of film: String) -> String? { entry(form, film)?.key?.text }

    /// Adds a review that was sent. It was added, or has a key.
    func adding(_ form: ReviewForm, of film: String, key: String? = nil) -> SentReviews {
        let new = Entry(digest: form.digest(film), key: key.flatMap(Token.init(sent:)))
        var sent = self
        sent.entries = Array(([new] + entries.filter { $0.digest != new.digest }).prefix(Self.most))
        return sent
    }

    /// The cookie for the pages of the film.
    func cookie(at path: String) -> Cookie {
        Cookie(
            name: Self.name, value: entries.map(\.text).joined(separator: "."), maxAge: Self.lifetime, path: path,
            httpOnly: true, sameSite: .lax)
    }
}
