/// The reason why a response has no data for an updater. The updater is not called.
struct UnreadableResponse: Error {
    let error: RelayError
}
