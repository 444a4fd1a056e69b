import HTML

/// A piece of a page that is made each time the page is sent, such as the key of a form. It becomes markup only then,
/// so that no page that is kept for others can contain it.
struct SentOnce: Sendable {
    let make: @Sendable () -> HTML
}
