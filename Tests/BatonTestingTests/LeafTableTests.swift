import Testing

@testable import BatonTesting

@Suite("World: the table of leaves")
struct LeafTableTests {
    /// A person who reads the guide can keep forty rules in view.
    @Test("it has at most forty rows")
    func rows() { #expect((1...40).contains(LeafTable.rows.count)) }
}
