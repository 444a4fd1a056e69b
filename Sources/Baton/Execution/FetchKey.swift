/// A fetch key that can be compared. Keys are compared by `==` of their own type; keys of different types are
/// different.
struct FetchKey: Hashable, Sendable, CustomStringConvertible {
    let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) {
        self.value = value
    }

    static func == (left: FetchKey, right: FetchKey) -> Bool {
        isEqual(left.value, right.value)
    }

    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }

    var description: String { String(describing: value) }

    /// Compares the keys of two calls of `get`; nil equals only nil. Integers, the usual keys, are compared first.
    static func isSame(_ left: (any Hashable & Sendable)?, _ right: (any Hashable & Sendable)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if let left = left as? Int { return right as? Int == left }
        return isEqual(left, right)
    }

    private static func isEqual<Value: Hashable>(_ left: Value, _ right: any Hashable) -> Bool {
        (right as? Value) == left
    }
}

/// The fetch keys of an operation's last fetch. They are a list, so that no key is compared or hashed while a lock is
/// held.
struct FetchKeys: Hashable, Sendable {
    var keys: [FetchKey] = []
}
