/// A part of a handle that ends with it.
protocol Closable: AnyObject, Sendable {
    /// The handle's observers, which may be frames that show the handle.
    var observers: Observers { get }
    /// Ends everything that only the handle has waited for, and tells the observers of the end.
    func close()
}

extension Closable {
    /// Ends the handle that was let go, at once or with the last frame that shows it.
    func letGo() { endWithFrames() }

    func endWithFrames() {
        if observers.isInFrame { observers.endWithFrames { [self] in close() } } else { close() }
    }
}
