/// An object that shows data of the store, and is notified when the store is emptied.
protocol Resettable: AnyObject, Sendable {
    /// Forgets the old data. With `asksAgain` the same data is requested again, unless the application has cancelled;
    /// without it no request is sent. Called on any thread while no lock is held.
    func reset(asksAgain: Bool)
}
