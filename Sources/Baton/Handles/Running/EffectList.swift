/// What a machine wants of others after an event, in the order in which it is to be performed.
///
/// The first effect needs no memory of its own, because nearly every event of a read has one (benchmark
/// `handle.first-read-ns`).
struct EffectList<Effect: Sendable>: Sendable, ExpressibleByArrayLiteral {
    private var first: Effect?
    private var others: [Effect] = []

    @inline(__always)
    init() {}

    init(arrayLiteral effects: Effect...) { self += effects }

    init(_ effects: [Effect]) { self += effects }

    var isEmpty: Bool { first == nil }
    var all: [Effect] { (first.map { [$0] } ?? []) + others }

    /// Gives each effect away.
    @inline(__always)
    mutating func giveAway(_ body: (consuming Effect) -> Void) {
        guard let first = first.take() else { return }
        body(first)
        if others.isEmpty { return }
        let rest = others
        others = []
        for effect in rest { body(effect) }
    }

    /// Returns the effect at an index; nil after the last one.
    subscript(index: Int) -> Effect? {
        if index == 0 { return first }
        return index <= others.count ? others[index - 1] : nil
    }

    mutating func append(_ effect: consuming Effect) {
        if first == nil { first = effect } else { others.append(effect) }
    }

    static func += (effects: inout EffectList, more: [Effect]) {
        for effect in more { effects.append(effect) }
    }

    static func += (effects: inout EffectList, more: EffectList) { effects += more.all }
}
