import Baton
import Films
import Synchronization

private let before =
    #"{"data":{"film":{"__typename":"Film","id":"f1","reviews":[{"id":"r1","stars":3,"comment":null}]}}}"#
private let after =
    #"{"data":{"addReview":{"film":{"id":"f1","reviews":[{"id":"r1","stars":3,"comment":null},"#
    + #"{"id":"r2","stars":5,"comment":"good"}]}}}}"#

@main struct Check {
    static func reviews(_ environment: RelayEnvironment) -> [String] {
        let film = environment.read(ReviewsQuery(id: "f1")).data?.film
        return film?.reviews?.map { "\($0.id) \($0.stars) \($0.comment ?? "-")" } ?? []
    }

    static func main() async throws {
        let gate = Gate()
        let answer = Mutex(after)
        let server = Server { request in
            if request.kind == .query { return before }
            await gate.wait()
            return answer.withLock { $0 }
        }
        let environment = RelayEnvironment(network: server)
        _ = try await environment.fetch(ReviewsQuery(id: "f1"))
        let retained = environment.retain(ReviewsQuery(id: "f1"))
        async let sent = send(stars: 5, comment: "good", film: "f1", in: environment)
        await eventually("the optimistic review") { reviews(environment) == ["r1 3 -", "new 5 good"] }
        gate.open()
        expect(await sent, "sent", "an answer")
        expect(reviews(environment), ["r1 3 -", "r2 5 good"], "the reviews")
        let input = variable("input", of: server.requests[1]) ?? ""
        if !input.contains(#""comment":"good""#) || input.contains("tags") { fail("input: \(input)") }

        answer.withLock { $0 = #"{"data":null,"errors":[{"message":"no more"}]}"# }
        expect(await send(stars: 1, comment: nil, film: "f1", in: environment), "no more", "a refusal")
        expect(reviews(environment), ["r1 3 -", "r2 5 good"], "the reviews after a refusal")
        if variable("input", of: server.requests[2])?.contains("comment") == true { fail("the comment is sent") }
        answer.withLock { $0 = "<html>" }
        expect(await send(stars: 1, comment: nil, film: "f1", in: environment), "not sent", "a broken answer")
        retained.release()
    }
}
