/// The reason why an answer has no data for an updater. The updater is not called.
struct UnreadableAnswer: Error {
    let error: RelayError
}
