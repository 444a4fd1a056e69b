/// The known relations between object types and abstract types, which responses have shown.
struct TypeFacts: Sendable {
    private(set) var entries: [TypeFact: Bool] = [:]
    /// The version in which a type fact last changed.
    private(set) var changed: Epoch = 0

    init() {}

    /// Makes an empty table that counts as changed in a version.
    init(emptiedAt epoch: Epoch) { changed = epoch }

    var isEmpty: Bool { entries.isEmpty }

    subscript(fact: TypeFact) -> Bool? { entries[fact] }

    /// Notes a new or changed fact.
    mutating func learn(_ fact: TypeFact, _ holds: Bool, at epoch: Epoch) {
        entries[fact] = holds
        changed = epoch
    }

    /// Replaces all facts.
    mutating func replace(with others: [TypeFact: Bool], at epoch: Epoch) {
        entries = others
        changed = epoch
    }
}

extension Records {
    /// Returns true if objects of a type are of an abstract type; nil if no response has shown it.
    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        facts[TypeFact(type: type, abstractType: abstractType)]
    }
}

/// A relation between an object type and an abstract type.
struct TypeFact: Sendable, Hashable {
    let type: TypeID
    let abstractType: TypeID
}
