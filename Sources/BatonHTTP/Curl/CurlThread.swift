import Foundation

/// What the threads have in common on which libcurl runs.
enum CurlThread {
    static let stackSize = 512 << 10

    /// Keeps the signals of the application from this thread, and the one for a connection that is gone from everybody.
    static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }
}
