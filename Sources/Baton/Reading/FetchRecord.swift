/// When and under which key an operation was last fetched.
package struct FetchRecord: Sendable {
    /// The fetch key of the request; nil if it had none.
    package let key: (any Hashable & Sendable)?
    /// The time at which the answer was in, on the environment's clock.
    package let time: Duration
    /// The version of the store when the request began.
    package let epoch: Epoch
    /// The operation was invalidated after it, in the store from whose snapshot it comes.
    package var isRevoked = false
    /// The number of the request; those of newer ones are greater.
    package var request = 0
    /// The answer lacked fields that the operation selects, and nothing of it can have been collected since.
    package var isIncomplete = false

    /// Compares with a key by `==`; keys of different types are different.
    package func isKey(_ other: (any Hashable & Sendable)?) -> Bool {
        switch (key, other) {
        case (nil, nil): true
        case (let key?, let other?): AnyHashable(key) == AnyHashable(other)
        default: false
        }
    }
}
