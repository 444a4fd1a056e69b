/// Marks the work that a `NetworkLayer` does for a request, so that a test's clock can tell a request that sleeps from
/// anything else that does.
package enum RequestScope {
    /// Where the request is counted; nil outside of requests.
    @TaskLocal package static var activity: Activity?
}
