import Baton
import BatonTesting
import RandomCases
import Testing

@Suite("World: random operations")
struct WorldRandomTests {
    @Test("parts of both formats are put together to the answer in one piece, which has no errors")
    func partsAreTheWhole() throws {
        let world = try WorldSamples.world()
        let older = try WorldSamples.world(incremental: .labelled)
        var operations = try #require(RandomOperations(world, seed: 11))
        var parts = 0
        for _ in 0..<RandomCases.count(300) {
            let text = operations.next()
            let whole = world.execute(text)
            #expect(whole["errors"] == nil, "\(text)")
            for service in [world, older] {
                let payloads = service.executeInParts(text)
                parts += payloads.count - 1
                do {
                    let assembled = try AssembledParts(payloads)
                    #expect(assembled.errors.isEmpty)
                    #expect(assembled.data == whole["data"], "\(text)\n\(JSONValue.array(payloads).text)")
                } catch {
                    Issue.record("\(error) in \(text)\n\(JSONValue.array(payloads).text)")
                }
            }
            let entities = whole.entities()
            for (id, shown) in entities {
                guard let types = shown["__typename"] else { continue }
                #expect(
                    types.allSatisfy { id.hasPrefix(($0.stringValue ?? "?") + ":") || !id.contains(":") }, "\(text)")
            }
        }
        #expect(parts > 300)
    }
}
