/// The last fetch of an operation: its time and its fetch key.
package struct FetchRecord: Sendable {
    /// The fetch key of the request; nil if it had none.
    package let key: (any Hashable & Sendable)?
    /// The time at which the response had arrived, on the environment's clock.
    package let time: Duration
    /// The version of the store at the start of the request.
    package let epoch: Epoch
    /// True if the operation was invalidated after this fetch, in the store whose snapshot has this record.
    package var isRevoked = false
    /// The number of the request; newer requests have greater numbers.
    package var request = 0
    /// True if the response lacked selected fields, and none of its records can have been collected since.
    package var isIncomplete = false

    /// Makes the record of a fetch.
    package init(
        key: (any Hashable & Sendable)?, time: Duration, epoch: Epoch, isRevoked: Bool = false, request: Int = 0,
        isIncomplete: Bool = false
    ) {
        self.key = key
        self.time = time
        self.epoch = epoch
        self.isRevoked = isRevoked
        self.request = request
        self.isIncomplete = isIncomplete
    }

    /// Compares the key by `==`; keys of different types are different.
    package func isKey(_ other: (any Hashable & Sendable)?) -> Bool {
        switch (key, other) {
        case (nil, nil): true
        case (let key?, let other?): AnyHashable(key) == AnyHashable(other)
        default: false
        }
    }
}
