/// A change in the store: the revision that shows it, and the number of its publish.
struct StoreChange: Sendable {
    let revision: Int
    let publish: Int
}
