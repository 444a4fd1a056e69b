import Testing

@testable import Baton

/// What every handle has beyond its own methods: observers as actors, data as a sequence, lists with their changes, and
/// batches.
@Suite(.timeLimit(.minutes(20))) struct ObservableHandleTests {
    let stage = Stage()

    private actor Titles: QueryObserver {
        private(set) var titles: [String?] = []

        func queryDidChange(_ result: QueryResult<Films.FilmQuery.Data>) { titles.append(result.data?.film?.title) }
    }

    private actor Rows {
        private(set) var lists: [[String]] = []
        private(set) var changes: [ListChanges] = []

        func note(_ rows: [Films.ListQuery.Data.Film?], _ changes: ListChanges) {
            lists.append(rows.map { $0?.id ?? "-" })
            self.changes.append(changes)
        }
    }

    private func film() async -> QueryHandle<Films.FilmQuery> {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        return handle
    }

    private func rename(_ title: String) throws {
        try stage.environment.update { try $0.get("1")?.setValue(.string(title), forField: "title") }
    }

    @Test("An observer is told of the current state when it is added, and of every newer one.")
    func observer() async throws {
        let handle = await film()
        let titles = Titles()
        handle.addObserver(titles)
        await stage.settle()
        try rename("two")
        await stage.settle()
        #expect(await titles.titles == ["one", "two"])
    }

    @Test("An observer is held weakly, and is told nothing after its token was cancelled.")
    func observerEnds() async throws {
        let handle = await film()
        var titles: Titles? = Titles()
        weak let weak = titles
        if let titles { handle.addObserver(titles).cancel() }
        try rename("two")
        await stage.settle()
        #expect(await titles?.titles == [])
        titles = nil
        #expect(weak == nil)
    }

    @Test("The first list comes with all its elements inserted, and each later list with its changes.")
    func lists() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        let rows = Rows()
        list.observe(listOf: \.films, by: \.?.id, on: rows) { $0.note($1, $2) }
        _ = list.get()
        await stage.answer(Films.list(3))
        try stage.environment.update { store in
            let films = store.root.fields("films")
            #expect(films.count == 1)
            for field in films { try field.setLinkedRecords([store.get("3"), store.get("1")]) }
        }
        await stage.settle()
        #expect(await rows.lists == [["1", "2", "3"], ["3", "1"]])
        let changes = await rows.changes
        try #require(changes.count == 2)
        #expect(changes[0].inserted == [0, 1, 2] && changes[0].removed.isEmpty)
        #expect(changes[1].removed == [1] && changes[1].moved.count == 1 && changes[1].inserted.isEmpty)
    }

    @Test("A state without data leaves the list as it is, and a success without the list empties it.")
    func listsWithoutData() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        let rows = Rows()
        list.observe(listOf: \.films, by: \.?.id, on: rows) { $0.note($1, $2) }
        _ = list.get(fetchKey: 1)
        await stage.answer(Films.list(2))
        _ = list.get(fetchKey: 2)
        await stage.fail()
        #expect(list.result.error != nil)
        #expect(await rows.lists == [["1", "2"]])
        _ = list.get(fetchKey: 3)
        await stage.answer(#"{"data":null}"#)
        #expect(await rows.lists == [["1", "2"], []])
        #expect(await rows.changes.last?.removed == [0, 1])
    }

    @Test("A change that leaves the list as it was notifies nobody.")
    func listsThatStay() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        let rows = Rows()
        list.observe(listOf: \.films, by: \.?.id, on: rows) { $0.note($1, $2) }
        _ = list.get()
        await stage.answer(Films.list(2))
        try stage.environment.update { try $0.root.setValue(9, forField: "total") }
        await stage.settle()
        #expect(list.result.data?.total == 9)
        #expect(await rows.lists.count == 1)
    }

    @Test("After a change, parents are notified before the children that were made of their data.")
    func parentsFirst() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = list.get()
        await stage.answer(Films.list(3))
        let screen = Screen()
        list.observe(on: screen) { screen, _ in screen.note(row: "list") }
        let rows = (list.result.data?.films ?? []).compactMap { $0.map { FragmentHandle($0.row) } }
        for (index, row) in rows.enumerated() {
            row.observe(on: screen) { screen, _ in screen.note(row: "row \(index)") }
        }
        await stage.settle()
        var told = await screen.rows.count
        for round in 1...20 {
            try stage.environment.update { store in
                try store.root.setValue(.int(round), forField: "total")
                for id in ["3", "1", "2"] {
                    try store.get(DataID(id))?.setValue(.string("\(round)"), forField: "title")
                }
            }
            await stage.settle()
            #expect(await Array(screen.rows[told...]) == ["list", "row 0", "row 1", "row 2"])
            told = await screen.rows.count
        }
        // What a handle shows anew is told of before what was made of its data before.
        func change(_ round: Int) throws {
            try stage.environment.update { store in
                try store.root.setValue(.int(round), forField: "total")
                for id in ["3", "1", "2"] {
                    try store.get(DataID(id))?.setValue(.string("\(round)"), forField: "title")
                }
            }
        }
        list.skip()
        _ = list.get()
        await stage.answer(Films.list(3))
        told = await screen.rows.count
        try change(21)
        await stage.settle()
        #expect(await Array(screen.rows[told...]) == ["list", "row 0", "row 1", "row 2"])
        stage.environment.reset(refetching: true)
        await stage.answer(Films.list(3))
        told = await screen.rows.count
        try change(22)
        await stage.settle()
        #expect(await Array(screen.rows[told...]) == ["list", "row 0", "row 1", "row 2"])
        withExtendedLifetime((list, rows)) {}
    }

    @Test func parentsWithOtherVariablesAreToldFirst() async throws {
        let film = await film()
        let screen = Screen()
        let row = FragmentHandle(try #require(film.result.data?.film).row)
        film.observe(on: screen) { screen, _ in screen.note(row: "film") }
        row.observe(on: screen) { screen, _ in screen.note(row: "row") }
        try await stage.seed(Films.FilmQuery(id: "2"), Films.film("2", "two"))
        for round in 0..<20 {
            _ = film.get(id: "2")
            await stage.settle()
            _ = film.get(id: "1")
            await stage.settle()
            var told = await screen.rows.count
            await stage.answer(Films.film("1", "one \(round)"))
            #expect(await Array(screen.rows[told...]) == ["film", "row"], "a response that the parent waits for")
            told = await screen.rows.count
            try rename("other \(round)")
            await stage.settle()
            #expect(await Array(screen.rows[told...]) == ["film", "row"])
        }
    }

    @Test func subscriptionsAreToldBeforeWhatTheirEventsShow() async throws {
        let network = EventNetwork()
        let environment = RelayEnvironment(network: network)
        let reviews = SubscriptionHandle<FilmChangedSubscription>(in: environment)
        let screen = Screen()
        _ = reviews.subscribe(.init(id: "1"))
        let stream = await network.stream()
        stream.send(FilmChangedSubscription.event("1", "a"))
        await until { reviews.result.data != nil }
        reviews.observe(on: screen) { screen, _ in screen.note(row: "parent") }
        let child = QueryHandle<Films.FilmQuery>(in: environment)
        child.observe(on: screen) { screen, _ in screen.note(row: "child") }
        _ = child.get(id: "1")
        await network.stream(2).send(Films.film("1", "b"), isLast: true)
        await until { child.result.data != nil }
        for title in ["c", "d", "e", "f"] {
            await until { environment.activity.counts.deliveries == 0 }
            let told = await screen.rows.count
            stream.send(FilmChangedSubscription.event("1", title))
            await until { child.result.data?.film?.title == title }
            await until { environment.activity.counts.deliveries == 0 }
            #expect(await Array(screen.rows[told...]) == ["parent", "child"], "an event")
        }
        let told = await screen.rows.count
        try environment.update { try $0.get("1")?.setValue("g", forField: "title") }
        await until { environment.activity.counts.deliveries == 0 }
        #expect(await Array(screen.rows[told...]) == ["parent", "child"])
        withExtendedLifetime((reviews, child)) {}
    }

    // MARK: - Batches

    @Test("A batch delivers one state, the state after it, and its writes can be read at once.")
    func aBatchTellsOnce() async throws {
        let handle = await film()
        let titles = Titles()
        handle.addObserver(titles)
        await stage.settle()
        var results = handle.results.makeAsyncIterator()
        #expect(await results.next()?.data?.film?.title == "one")
        let (_, changed) = stage.environment.track { handle.get(id: "1") }
        try await stage.environment.batch {
            try rename("two")
            #expect(handle.get(id: "1").data?.film?.title == "two", "what is written can be read at once")
            for _ in 0..<100 { await Task.yield() }
            try stage.environment.batch { try rename("three") }
            for _ in 0..<100 { await Task.yield() }
            #expect(await titles.titles == ["one"])
        }
        await stage.settle()
        #expect(await titles.titles == ["one", "three"])
        #expect(await results.next()?.data?.film?.title == "three")
        #expect(await changed.wait())
    }

    @Test("A batch that throws delivers the changes from before the error.")
    func aBatchThatThrowsTellsToo() async throws {
        let handle = await film()
        let titles = Titles()
        handle.addObserver(titles)
        await stage.settle()
        #expect(throws: Unreachable.self) {
            try stage.environment.batch {
                try rename("two")
                throw Unreachable()
            }
        }
        await stage.settle()
        #expect(await titles.titles == ["one", "two"])
    }

    @Test("Batches that overlap deliver the last state.")
    func batchesOfManyThreadsTellTheLastState() async throws {
        let handle = await film()
        let titles = Titles()
        handle.addObserver(titles)
        let environment = stage.environment
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        environment.batch {
                            for part in 0..<3 {
                                try? environment.update {
                                    try $0.get("1")?.setValue(.string("\(thread) \(round) \(part)"), forField: "title")
                                }
                            }
                        }
                        await Task.yield()
                    }
                }
            }
        }
        await stage.settle()
        #expect(await titles.titles.last == handle.get(id: "1").data?.film?.title)
    }
}
