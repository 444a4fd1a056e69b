/// One delivery. It is made from the newest state when its turn comes.
protocol Delivery<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has already seen the newest state.
    func deliver(on observer: isolated Observer)
}
