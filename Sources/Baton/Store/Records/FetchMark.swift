/// The time and the version of a fetch.
package struct FetchMark: Sendable, Hashable {
    /// The time at which the response had arrived, on the environment's clock.
    let time: Duration
    /// The version of the store at the start of the request.
    let began: Epoch
    /// True if the file of the store leaves out what the response brought.
    var isUnstored = false

    /// Pairs the time of a response with the version in which its request began.
    package init(time: Duration, began: Epoch) {
        self.time = time
        self.began = began
    }
}
