/// The options of a handle's fetches, with the policy that decides what it shows meanwhile.
struct FetchOptions: Sendable {
    let policy: FetchPolicy
    var renderPolicy = RenderPolicy.full
    var freshness = Freshness()
    /// The name of the handle's query or fragment, for reports on requests; nil for the name of the operation.
    var component: String?
    var configuration = RequestConfiguration()
    /// Runs in the publish of each response.
    var updater: RequestExecution.Updater?
}
