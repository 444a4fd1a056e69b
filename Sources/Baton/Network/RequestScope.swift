/// Marks the work of a `NetworkLayer` for a request, so that a test's clock can tell a sleeping request from any other
/// sleeper.
package enum RequestScope {
    /// The activity that counts the request; nil outside of requests.
    @TaskLocal package static var activity: Activity?
}
