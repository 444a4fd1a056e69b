import RandomCases
import Testing

@testable import Baton

/// `QueriesInFlight` against a model that looks through all queries.
@Suite struct QueriesInFlightTests {
    private struct Model {
        struct Query {
            let number: Int
            let began: Epoch
            let operation: BoundOperation?
            var isOvertaken: Bool
        }

        var queries: [Query] = []

        var oldest: Epoch? { queries.map(\.began).min() }

        mutating func responseLanded(_ number: Int) {
            guard let operation = queries.first(where: { $0.number == number })?.operation else { return }
            for index in queries.indices where queries[index].number < number && queries[index].operation === operation
            { queries[index].isOvertaken = true }
        }
    }

    @Test(arguments: RandomCases.seeds(8, from: 0 as UInt64)) func randomRequestsAgreeWithTheModel(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store()
        let operations = (0..<3).map { store.bind(Films.FilmQuery(id: "\($0)")) }
        var (table, model) = (QueriesInFlight(), Model())
        var (number, epoch): (Int, Epoch) = (0, 1)
        // Few queries are in flight in some runs, and many in others.
        let many = Int.random(in: 1...40, using: &random)
        // In some runs the oldest query stays, while hundreds of others begin and end.
        let staying = Bool.random(using: &random) ? 1 : 0
        for _ in 0..<3_000 {
            epoch += Epoch.random(in: 0...2, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0...1 where model.queries.count < many:
                number += 1
                let operation = Bool.random(using: &random) ? operations.randomElement(using: &random) : nil
                table.begin(number, of: operation, at: epoch)
                model.queries.append(.init(number: number, began: epoch, operation: operation, isOvertaken: false))
            case 2:
                guard let query = model.queries.randomElement(using: &random) else { continue }
                table.responseLanded(query.number)
                model.responseLanded(query.number)
            default:
                guard let index = model.queries.indices.dropFirst(staying).randomElement(using: &random) else {
                    continue
                }
                let query = model.queries.remove(at: index)
                let ended = [table.end(query.number), table.end(query.number)]
                #expect(ended == [true, false])
            }
            #expect(table.isEmpty == model.queries.isEmpty)
            #expect(table.oldest == model.oldest)
            for query in model.queries {
                #expect(table.began(query.number) == query.began)
                #expect(table.isOvertaken(query.number) == query.isOvertaken)
            }
        }
    }
}
