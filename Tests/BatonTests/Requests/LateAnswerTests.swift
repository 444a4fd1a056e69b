import RandomCases
import Testing

@testable import Baton

/// Answers of queries that are older than writes after the beginning of their requests.
@Suite(.timeLimit(.minutes(20))) struct LateAnswerTests {
    private func title(_ stage: Stage, _ id: String) async throws -> String? {
        (try? await stage.environment.fetch(Films.FilmQuery(id: id), policy: .storeOnly))?.data?.film?.title
    }

    /// Lets a poll land after a like that the server did not know when it answered the poll.
    private func likeDuringPoll(_ stage: Stage) async throws -> (favourite: Bool?, title: String?) {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let environment = stage.environment
        async let poll = environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting == 0 { await Task.yield() }
        async let like = environment.commit(Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true)))
        while stage.network.waiting < 2 { await Task.yield() }
        stage.network.answerNewest(Films.favourite("1", true))
        _ = try await like
        stage.network.answer(Films.film("1", "two"))
        let film = try await poll.data?.film
        await stage.settle()
        return (film.flatMap { environment.read($0.row)?.favourite }, film?.title)
    }

    @Test func aPollDoesNotTakeALikeBack() async throws {
        let stage = Stage()
        let film = try await likeDuringPoll(stage)
        #expect(film.favourite == true)
        #expect(film.title == "two", "the rest of the response lands")
        // The next poll is newer than the like.
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "three"))
        let environment = stage.environment
        let row = (try? await environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly))?.data?.film?.row
        #expect(row.flatMap { environment.read($0)?.favourite } == false)
    }

    @Test func newerFieldsAreOverwrittenIfTheOptionIsOff() async throws {
        let stage = Stage(keepsNewerFields: false)
        #expect(try await likeDuringPoll(stage).favourite == false)
    }

    @Test func aDeletedRecordDoesNotComeBack() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        async let poll = stage.environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting == 0 { await Task.yield() }
        try stage.environment.update { try $0.delete("1") }
        stage.network.answer(Films.film("1", "back"))
        #expect(try await poll.data?.film == nil)
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "anew"))
        #expect(try await title(stage, "1") == "anew")
    }

    // MARK: - Events of subscriptions

    /// `subscription FilmChanged { filmChanged { id title } }`
    private static let filmChanged = GeneratedCode.OperationArtifact(
        name: "FilmChanged", kind: .subscription, text: "",
        normalization: "{filmChanged:+Film{id:ID! title:String!}}", reader: "{filmChanged:+Film{id:ID! title:String!}}")

    /// Publishes an event that a server pushes.
    private func push(
        _ id: String, _ title: String, to stage: Stage, updating: ((RecordSourceProxy) throws -> Void)? = nil
    ) throws {
        let store = stage.environment.store
        let operation = store.bind(Self.filmChanged, variables: .object([]))
        let body = Array(#"{"data":{"filmChanged":{"id":"\#(id)","title":"\#(title)"}}}"#.utf8)
        let event = try store.normalize(body, for: operation)
        if let updating {
            try store.publish(event, for: operation, updating: updating)
        } else {
            store.publish(event, for: operation)
        }
    }

    private func film(_ stage: Stage, _ id: DataID) -> [StorageKey: JSONValue]? { stage.environment.fields(of: id) }

    @Test func anAnswerThatIsOlderThanAnEventLeavesItsFieldsAlone() async throws {
        for keepsNewerFields in [true, false] {
            let stage = Stage(keepsNewerFields: keepsNewerFields)
            try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
            async let poll = stage.environment.fetch(Films.FilmQuery(id: "1"))
            while stage.network.waiting == 0 { await Task.yield() }
            try push("1", "pushed", to: stage)
            stage.network.answer(Films.film("1", "old", rating: 9))
            _ = try await poll
            #expect(film(stage, "1")?["title"] == (keepsNewerFields ? "pushed" : "old"))
            #expect(film(stage, "1")?["rating"] == 9, "the event did not bring it")
            // A poll that begins after the event has newer data.
            try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "new"))
            #expect(film(stage, "1")?["title"] == "new")
        }
    }

    @Test func anEventIsNeverLate() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        async let poll = stage.environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting == 0 { await Task.yield() }
        let store = stage.environment.store
        let operation = store.bind(Self.filmChanged, variables: .object([]))
        // The event was read before the update landed, and lands after it.
        let body = Array(#"{"data":{"filmChanged":{"id":"1","title":"pushed"}}}"#.utf8)
        let event = try store.normalize(body, for: operation)
        try stage.environment.update { try $0.get("1")?.setValue("mine", forField: "title") }
        store.publish(event, for: operation)
        #expect(film(stage, "1")?["title"] == "pushed")
        stage.network.answer(Films.film("1", "old"))
        _ = try await poll
        #expect(film(stage, "1")?["title"] == "pushed")
    }

    @Test func whatTheUpdaterOfAnEventDeletesDoesNotComeBack() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        async let poll = stage.environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting == 0 { await Task.yield() }
        try push("1", "gone", to: stage) { try $0.delete("1") }
        stage.network.answer(Films.film("1", "back"))
        #expect(try await poll.data?.film == nil)
        // An event that mentions the film brings it back, even while an older poll is in flight.
        async let other = stage.environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting == 0 { await Task.yield() }
        try push("1", "again", to: stage)
        stage.network.answer(Films.film("1", "old"))
        _ = try await other
        #expect(film(stage, "1")?["title"] == "again")
    }

    @Test func nothingIsNotedWhenNoQueryIsInFlight() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let store = stage.environment.store
        func noted() -> Int { store.queue.inTurn { $0.newer.count } }
        try stage.environment.update { try $0.get("1")?.setValue("quiet", forField: "title") }
        #expect(noted() == 0)
        let environment = stage.environment
        async let first = environment.fetch(Films.FilmQuery(id: "1"))
        while stage.network.waiting < 1 { await Task.yield() }
        try stage.environment.update { try $0.get("1")?.setValue("a", forField: "title") }
        async let second = environment.fetch(Films.FilmQuery(id: "2"))
        while stage.network.waiting < 2 { await Task.yield() }
        try stage.environment.update { try $0.get("p1")?.setValue("b", forField: "name") }
        #expect(noted() == 2)
        stage.network.answer(Films.film("1", "old"))
        _ = try await first
        await stage.settle()
        // The remaining notes were written after the other request began.
        #expect(noted() == 1)
        stage.network.answer(Films.film("2", "two"))
        _ = try await second
        await stage.settle()
        #expect(noted() == 0)
        #expect(try await title(stage, "1") == "a")
    }

    // MARK: - Against a simple model

    private struct Model {
        struct Field {
            var value: JSONValue
            /// The time of the last write by a mutation or an update.
            var written = 0
        }

        struct Film {
            var fields: [String: Field] = [:]
            /// The time at which a mutation or an update deleted the film; 0 if a later one brought it back.
            var deleted = 0
            var isThere = true
        }

        var films: [String: Film] = [:]
        var now = 0

        /// Writes fields as a mutation or an update does.
        mutating func write(_ id: String, _ fields: [String: JSONValue]) {
            if let film = films[id], film.deleted > 0 || !film.isThere {
                films[id] = Film(fields: film.isThere ? film.fields : [:])
            }
            for (name, value) in fields { films[id, default: Film()].fields[name] = Field(value: value, written: now) }
        }

        mutating func answer(_ id: String, _ fields: [String: JSONValue], began: Int) {
            let deleted = films[id]?.deleted ?? 0
            if deleted > began { return }
            if films[id]?.isThere == false { films[id] = Film(deleted: deleted) }
            for (name, value) in fields where (films[id]?.fields[name]?.written ?? 0) <= began {
                films[id, default: Film()].fields[name] = Field(
                    value: value, written: films[id]?.fields[name]?.written ?? 0)
            }
        }
    }

    /// Returns a response to a list query with these films.
    private func list(_ films: [(String, String, Bool)]) -> String {
        let items = films.map {
            #"{"id":"\#($0.0)","title":"\#($0.1)","favourite":\#($0.2),"director":null}"#
        }
        return #"{"data":{"films":[\#(items.joined(separator: ","))],"total":1}}"#
    }

    @Test(arguments: RandomCases.seeds(8)) func olderAnswersLeaveNewerFieldsAlone(_ seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
        let stage = Stage()
        let environment = stage.environment
        // No collection runs, so that films outside every list are compared too.
        let hold = environment.holdCollection()
        defer { hold.release() }
        var model = Model()
        var began: [Int] = []
        var first = 0
        var trace: [String] = []
        let ids = ["1", "2", "3", "4"]
        func film() -> String { ids.randomElement(using: &generator) ?? "1" }
        for step in 1...120 {
            model.now = step
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1:
                guard began.count < 4 else { continue }
                first += 1
                let query = Films.ListQuery(variables: .init(first: .value(first)))
                Task { try await environment.fetch(query) }
                while stage.network.waiting < began.count + 1 { await Task.yield() }
                began.append(step)
                trace.append("\(step) begin")
            case 2, 3:
                guard !began.isEmpty else { continue }
                let isNewest = Bool.random(using: &generator)
                let start = isNewest ? began.removeLast() : began.removeFirst()
                let chosen = ids.filter { _ in Bool.random(using: &generator) }
                let films = chosen.map { ($0, "answer \(step)", Bool.random(using: &generator)) }
                if isNewest { stage.network.answerNewest(list(films)) } else { stage.network.answer(list(films)) }
                await stage.settle()
                trace.append("\(step) answer to \(start): \(films.map { "\($0.0) \($0.2)" })")
                for (id, title, favourite) in films {
                    model.answer(
                        id,
                        ["id": .string(id), "title": .string(title), "favourite": .bool(favourite), "director": nil],
                        began: start)
                }
            case 4:
                let (id, favourite) = (film(), Bool.random(using: &generator))
                let mutation = Films.SetFavouriteMutation(variables: .init(id: id, favourite: favourite))
                async let response = environment.commit(mutation)
                while stage.network.waiting < began.count + 1 { await Task.yield() }
                stage.network.answerNewest(Films.favourite(id, favourite))
                _ = try await response
                trace.append("\(step) mutation: \(id) \(favourite)")
                model.write(id, ["id": .string(id), "favourite": .bool(favourite)])
            case 5:
                let id = film()
                try environment.update { try $0.delete(DataID(id)) }
                trace.append("\(step) delete \(id)")
                model.films[id] = .init(deleted: step, isThere: false)
            case 6:
                let id = film()
                try push(id, "event \(step)", to: stage)
                trace.append("\(step) event: \(id)")
                model.write(id, ["id": .string(id), "title": .string("event \(step)")])
            default:
                let id = film()
                try environment.update { store in
                    let record = try store.get(DataID(id)) ?? store.create(DataID(id), type: "Film")
                    try record.setValue(.string("update \(step)"), forField: "title")
                }
                trace.append("\(step) update \(id)")
                model.write(id, ["title": .string("update \(step)")])
            }
            for id in ids {
                let expected = model.films[id].flatMap { film -> [StorageKey: JSONValue]? in
                    let fields = film.fields.map { (StorageKey($0.key), $0.value.value) }
                    return film.isThere ? Dictionary(uniqueKeysWithValues: fields) : nil
                }
                let found = environment.fields(of: DataID(id))
                #expect(found == expected, "step \(step), film \(id): \(trace)")
                if found != expected { return }
            }
        }
        while stage.network.waiting > 0 { await stage.fail() }
        #expect(environment.store.queue.inTurn { $0.newer.count } == 0)
    }
}

extension RelayEnvironment {
    /// Returns the stored fields of a record; nil if it does not exist.
    fileprivate func fields(of id: DataID) -> [StorageKey: JSONValue]? {
        guard let found = store.contents(of: id), found.type != nil else { return nil }
        let fields = found.fields.map { ($0.key, $0.value.json { store.dataID(of: $0) }) }
        return Dictionary(uniqueKeysWithValues: fields)
    }
}
