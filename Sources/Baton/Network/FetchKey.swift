/// A fetch key that can be compared. Keys are compared by `==` of their own type; keys of different types are
/// different. A key may not equal itself, such as NaN or an array with NaN. Such a key equals the keys of its type that
/// have the same debug description. Otherwise each frame with such a key would fetch again.
struct FetchKey: Hashable, Sendable, CustomStringConvertible {
    let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) {
        self.value = value
    }

    static func == (left: FetchKey, right: FetchKey) -> Bool {
        isEqual(left.value, right.value, orByText: true)
    }

    func hash(into hasher: inout Hasher) {
        if Self.isEqual(value, value, orByText: false) {
            value.hash(into: &hasher)
        } else {
            hasher.combine(String(reflecting: value))
        }
    }

    var description: String { String(describing: value) }

    /// Compares the keys of two calls of `get`; nil equals only nil. Integers, the usual keys, are compared first.
    static func isSame(_ left: (any Hashable & Sendable)?, _ right: (any Hashable & Sendable)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if let left = left as? Int { return right as? Int == left }
        return isEqual(left, right, orByText: true)
    }

    private static func isEqual<Value: Hashable>(_ left: Value, _ right: any Hashable, orByText: Bool) -> Bool {
        guard let right = right as? Value else { return false }
        if right == left { return true }
        guard orByText, left != left, right != right else { return false }
        return String(reflecting: left) == String(reflecting: right)
    }
}

/// The fetch keys of an operation's last fetch. They are a list, so that no key is compared or hashed while a lock is
/// held.
struct FetchKeys: Hashable, Sendable {
    var keys: [FetchKey] = []
}
