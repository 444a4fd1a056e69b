/// An object that shows data of the store and is told when the store is emptied.
protocol Resettable: AnyObject, Sendable {
    /// Forgets the old data. With `asksAgain` the same data is asked for again, unless the application has cancelled;
    /// without it nothing is sent. Called on any thread while no lock is held.
    func reset(asksAgain: Bool)
}
