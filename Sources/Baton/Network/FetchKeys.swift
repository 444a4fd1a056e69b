/// The fetch keys of an operation's last fetch. They are a list, so that no key is compared or hashed while a lock is
/// held.
struct FetchKeys: Hashable, Sendable {
    var keys: [FetchKey] = []
}
