/// A conjunction of Boolean variables and negations, which stands for nested `@include` and `@skip` directives.
package struct Conjunction: Hashable, Sendable {
    /// The literals, sorted and without repetition.
    package let literals: [Literal]

    /// A variable, or its negation.
    package struct Literal: Hashable, Comparable, Sendable {
        package let variable: String
        package let isNegated: Bool

        package init(variable: String, isNegated: Bool) {
            self.variable = variable
            self.isNegated = isNegated
        }

        package static func < (left: Literal, right: Literal) -> Bool {
            (left.variable, left.isNegated ? 1 : 0) < (right.variable, right.isNegated ? 1 : 0)
        }
    }

    private init(sorted literals: [Literal]) {
        self.literals = literals
    }

    package init(_ literal: Literal) {
        literals = [literal]
    }

    /// The conjunction without literals, which is always true.
    package static let always = Conjunction(sorted: [])

    package var isAlways: Bool { literals.isEmpty }

    /// The conjunction of both; nil if they contradict each other.
    package func and(_ other: Conjunction) -> Conjunction? {
        if other.isAlways || self == other { return self }
        if isAlways { return other }
        let all = Set(literals).union(other.literals)
        for literal in all where all.contains(Literal(variable: literal.variable, isNegated: !literal.isNegated)) {
            return nil
        }
        return Conjunction(sorted: all.sorted())
    }

    /// Whether the other conjunction is true whenever this one is.
    package func implies(_ other: Conjunction) -> Bool {
        if other.isAlways || self == other { return true }
        return other.literals.allSatisfy(literals.contains)
    }
}

/// A disjunction of conjunctions: a disjunctive normal form.
package struct Condition: Hashable, Sendable {
    /// The alternatives in document order; no alternative implies another one.
    package private(set) var alternatives: [Conjunction]

    package init(_ conjunction: Conjunction) {
        // Almost all conditions are this one, and share the memory of its alternatives.
        alternatives = conjunction.isAlways ? Self.always.alternatives : [conjunction]
    }

    private init(alternatives: [Conjunction]) {
        self.alternatives = alternatives
    }

    package static let always = Condition(alternatives: [.always])

    package var isAlways: Bool { alternatives.contains(where: \.isAlways) }

    /// Adds an alternative and removes the alternatives that imply it.
    package mutating func or(_ conjunction: Conjunction) {
        if alternatives.contains(where: { conjunction.implies($0) }) { return }
        alternatives.removeAll { $0.implies(conjunction) }
        alternatives.append(conjunction)
    }

    /// Whether every alternative implies an alternative of the other condition. A result of true is certain; false may
    /// be wrong.
    package func implies(_ other: Condition) -> Bool {
        alternatives.allSatisfy { alternative in other.alternatives.contains { alternative.implies($0) } }
    }

    /// Whether every alternative implies the conjunction. A result of true is certain; false may be wrong.
    package func implies(_ conjunction: Conjunction) -> Bool {
        alternatives.allSatisfy { $0.implies(conjunction) }
    }
}
