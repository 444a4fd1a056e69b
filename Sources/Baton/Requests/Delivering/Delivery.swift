/// A delivery to an observer. Its content is made from the newest state when it is delivered.
protocol Delivery<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has already seen the newest state.
    func deliver(on observer: isolated Observer)
}
