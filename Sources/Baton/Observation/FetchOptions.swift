/// How a handle fetches.
struct FetchOptions: Sendable {
    let policy: FetchPolicy
    var configuration = RequestConfiguration()
    /// Runs in the publish of each answer.
    var updater: Request.Updater?
}
