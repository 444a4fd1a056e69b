import Baton

/// A page that is kept for whoever asks for it next.
struct KeptPage: Sendable {
    let bytes: PageBytes
    /// The queries of the page, and their revision of which the page was made.
    let queries: [any GraphQLQuery]
    let revision: SharedEnvironment.Revision
}
