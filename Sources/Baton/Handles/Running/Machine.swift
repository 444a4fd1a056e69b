/// The decisions of a handle: a value without locks, tasks or calls.
///
/// Its states are cases with their data, so that a combination that must not be cannot be written. It changes only by
/// an event. What it wants of others it says in effects, which a `Shell` has its owner perform. What it must know of
/// others it asks for in an effect, too, and the answer is another event. Queries of its state are properties.
protocol Machine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: MachineEffect
    typealias Effects = EffectList<Effect>
    /// Returns the effects in the order in which they are to be performed.
    mutating func handle(_ event: consuming Event) -> Effects
}
