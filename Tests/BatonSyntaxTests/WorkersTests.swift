import BatonSyntax
import Testing

struct WorkersTests {
    @Test(arguments: [1, 2, 3, 7, 200])
    func partsKeepTheirOrder(count: Int) {
        let items = Array(0..<100)
        let parts = Workers(count: count).map(items, weight: { $0 % 10 }, body: Array.init)
        #expect(parts.flatMap(\.self) == items)
        #expect(parts.count <= count)
        #expect(Workers(count: count).map([Int](), body: Array.init).isEmpty)
    }
}
