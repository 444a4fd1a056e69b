import FixtureSupport
import RandomCases
import Testing

@testable import BatonSchema

@Suite struct TypeSetTests {
    @Test func aSetContainsItsTypes() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<200 {
            // Sets of few and of many ids, near and far apart.
            let bound = [4, 100, 1_000, 100_000][round % 4]
            let left = Self.ids(&random, below: bound)
            let right = Self.ids(&random, below: bound)
            let (first, second) = (TypeSet(left), TypeSet(right))
            #expect(Array(first) == Set(left).sorted())
            #expect(first.intersects(second) == !Set(left).isDisjoint(with: right))
            #expect(first.intersects(second) == second.intersects(first))
            let asked = Self.ids(&random, below: bound + 200) + left
            #expect(asked.map(first.contains) == asked.map(Set(left).contains))
        }
        #expect(!TypeSet.empty.contains(TypeID(0)) && !TypeSet.empty.intersects(TypeSet([TypeID(0)])))
    }

    private static func ids(_ random: inout SeededGenerator, below bound: Int) -> [TypeID] {
        (0..<random.below(60)).map { _ in TypeID(random.below(bound)) }
    }
}
