/// The result of a read.
struct TakenRead: Sendable {
    let read: HandleRead
    /// The handle's reading now; nil if it had moved on meanwhile.
    let reading: Reading?
    /// True if the data has changed since the read.
    let hasChanged: Bool
    /// True if the log is to know that data is missing.
    let reportsMissingData: Bool
}
