/// A fetch key that can be compared: equal by `==` of its own type; keys of different types are different.
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

    /// Compares what two calls of `get` were given; nil is a key of its own. Counters are the usual keys, and the
    /// quickest.
    static func isSame(_ left: (any Hashable & Sendable)?, _ right: (any Hashable & Sendable)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if let left = left as? Int { return right as? Int == left }
        return isEqual(left, right)
    }

    private static func isEqual<Value: Hashable>(_ left: Value, _ right: any Hashable) -> Bool {
        (right as? Value) == left
    }
}

/// The keys under which the last fetch of an operation was asked for, as a list: nothing compares or hashes them while
/// a lock is held.
struct FetchKeys: Hashable, Sendable {
    var keys: [FetchKey] = []
}
