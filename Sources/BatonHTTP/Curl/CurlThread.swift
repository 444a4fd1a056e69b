import Foundation

/// The threads on which libcurl runs.
enum CurlThread {
    /// Starts a thread with a name that the system shows. It takes no signals: neither those of the application, nor
    /// the one for a connection that is gone.
    static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // On Linux the name reaches the system from the thread alone.
            Thread.current.name = name
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            body()
        }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
