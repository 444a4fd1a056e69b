/// The reason why reading stopped, and the position. The path is computed later, from the position.
struct JSONFailure: Error {
    let reason: RelayError.InvalidResponse.Reason
    let offset: Int

    init(_ reason: RelayError.InvalidResponse.Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
