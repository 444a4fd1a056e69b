// Learns which object types belong to which abstract types.

extension Normalizer {
    /// Notes which abstract types the object's type belongs to.
    @inline(__always)
    mutating func learn(_ state: UnsafeMutablePointer<NodeState>) {
        guard state.pointee.selections.hasDiscriminators else { return }
        let now = NodeState.Learned(seen: state.pointee.seen, version: factsVersion)
        if state.pointee.learned == now { return }
        learn(state.pointee.selections, state.pointee.type, now.seen)
        state.pointee.learned = .init(seen: now.seen, version: factsVersion)
    }

    @inline(never)
    private mutating func learn(_ selections: WriteSelections, _ type: TypeID, _ seen: Discriminators) {
        for (index, discriminator) in selections.discriminators.enumerated() {
            let fact = TypeFact(type: type, abstractType: discriminator.abstractType)
            if seen.contains(index) {
                noteFact(fact, true)
            } else if !isLaterPart, discriminator.parents.contains(where: { $0.map { seen.contains($0) } ?? true }) {
                noteFact(fact, false)
            }
        }
    }

    /// Notes that objects of a type are not of an abstract type, unless a part of the response or the base has shown
    /// the opposite. Nothing is noted if an enclosing condition is not known to be fulfilled.
    mutating func noteAbsence(
        of discriminator: WriteSelections.Discriminator, in selections: WriteSelections, _ type: TypeID
    ) {
        let fact = TypeFact(type: type, abstractType: discriminator.abstractType)
        guard self.fact(fact) == nil else { return }
        let isDue = discriminator.parents.contains { parent in
            guard let parent else { return true }
            let condition = selections.discriminators[parent].abstractType
            return self.fact(TypeFact(type: type, abstractType: condition)) == true
        }
        if isDue { noteFact(fact, false) }
    }

    /// Returns a type fact of this response or of the base; nil if it is unknown.
    func fact(_ fact: TypeFact) -> Bool? { staged.facts[fact] ?? base.facts[fact] }

    /// Notes a fact. One object with `__isX` proves that the type is an `X`. JSON that was made by hand may lack
    /// `__isX` in another object of the type.
    private mutating func noteFact(_ fact: TypeFact, _ holds: Bool) {
        if !holds, staged.facts[fact] == true { return }
        guard staged.facts.updateValue(holds, forKey: fact) != holds else { return }
        factsVersion += 1
    }
}
