import Testing

@testable import Baton

/// A result shows a record once for each path that leads to it. A read of more than the store allows fails, and takes
/// no more time and memory than that.
@Suite struct ResultSizeTests {
    /// Lists of all records, nested six deep, of long and short lists, with and without non-null items and checks.
    private static let plans = [
        ("[+T]", "{id:ID! rows:"), ("[+T!]", "{id:ID! rows:"), ("[+T!]!", "{rows:"), ("[+T]!", "{a:Int rows:"),
        ("[+T]", "{a:Int other:+T{a:Int} rows:"), ("[[+T]]", "{id:ID! rows:"),
    ]

    private static func plan(_ type: String, _ open: String, depth: Int) -> String {
        if depth == 0 { return "{id:ID!}" }
        return (depth == 6 ? "{rows:" : open) + type + plan(type, open, depth: depth - 1) + "}"
    }

    @Test(arguments: [9, 40, 70], 0..<plans.count)
    func listsThatLeadToEachOtherAreRefused(_ count: Int, _ number: Int) throws {
        let (type, open) = Self.plans[number]
        let isNested = type.hasPrefix("[[")
        let store = Store(options: StoreOptions(resultSize: 1 << 16))
        try write(count, to: store, isNested: isNested)
        let reader = bind(Self.plan(type, open, depth: 6), in: store)
        let failed = store.read(AnyData.self, at: reader.root, reader.reader)
        #expect(failed.problems?.failure == .resultTooLarge(component: "W", limit: 1 << 16))
        #expect(failed.data == nil && !failed.isMissingData)
        #expect(failed.dependencies.pairs.count <= (count + 1) * 7)
        #expect(store.json(of: reader) == .null)
        #expect(HoleSearch.holes(in: store.records, at: reader.root, reader.reader.plan).isEmpty)
        #expect(HoleSearch.fall(in: store.records, at: reader.root, reader.reader.plan) == nil)

        // The read depends on what it visited, so that it is read again when it may fit.
        let subscriber = CountingSubscriber()
        let subscription = store.subscribe(subscriber, to: failed.dependencies)
        try write(1, to: store, isNested: isNested)
        #expect(subscriber.count == 1)
        let fits = store.read(AnyData.self, at: reader.root, reader.reader, after: failed.dependencies)
        #expect(fits.problems == nil && fits.data != nil)
        withExtendedLifetime(subscription) {}
    }

    @Test func errorsAndConvertedValuesCount() throws {
        let store = Store(options: StoreOptions(resultSize: 200_000))
        try write(200, to: store, isNested: false)
        let plain = bind("{rows:[+T]{a:Int}}", in: store)
        #expect(store.read(AnyData.self, at: plain.root, plain.reader).data != nil)
        // Each of 40,000 absent fields is an error at a place of its own.
        let checked = bind("{rows:[+T]@catch(RESULT){rows:[+T]{missing:Int}}}", in: store)
        let failed = store.read(AnyData.self, at: checked.root, checked.reader)
        #expect(failed.problems?.failure == .resultTooLarge(component: "W", limit: 200_000))
    }

    @Test(arguments: [9_000, 15_000, 30_000]) func aResultThatFitsIsReadForEver(_ size: Int) throws {
        let store = Store(options: StoreOptions(resultSize: size))
        try write(300, to: store, isNested: false)
        let reader = bind("{rows:[+T]{id:ID! a:Int}}", in: store)
        var read = store.read(AnyData.self, at: reader.root, reader.reader)
        for round in 0..<200 {
            try store.update { try $0.get("\(round)")?.setValue(.int(-round), forField: "a") }
            let next = store.read(AnyData.self, at: reader.root, reader.reader, after: read.dependencies)
            #expect(next.data != nil && (round == 0 || next.data != read.data))
            #expect(next.data == store.read(AnyData.self, at: reader.root, reader.reader).data)
            // The first new read takes over what has not changed, also close to the limit.
            if round == 1 {
                let shelves = [read, next].map { $0.dependencies.shelf?.spines.first?.sections.first?.shelves ?? [] }
                #expect(zip(shelves[0], shelves[1]).count { $0 === $1 } == 4)
            }
            read = next
        }
    }

    /// Lists of ten, each with records of its own. Any of the lists may make the result fit.
    @Test func aFailureDependsOnEachLevelThatWasRead() throws {
        let item = "id:ID! rows:[+T]"
        let plan = "{rows:[+T]{\(item){\(item){\(item){id:ID!}}}}}"
        let store = Store(options: StoreOptions(resultSize: 1 << 16))
        let reader = bind(plan, in: store)
        func rows(_ prefix: String, _ depth: Int) -> String {
            let items = (0..<10).map { number -> String in
                let id = "\(prefix)\(number)"
                let below = depth > 1 ? #","rows":\#(rows(id, depth - 1))"# : ""
                return #"{"id":"\#(id)"\#(below)}"#
            }
            return "[\(items.joined(separator: ","))]"
        }
        try store.write(#"{"data":{"rows":\#(rows("", 4))}}"#, for: reader)
        let failed = store.read(AnyData.self, at: reader.root, reader.reader)
        #expect(failed.problems?.failure == .resultTooLarge(component: "W", limit: 1 << 16))
        for id in ["7", "42"] {
            let subscriber = CountingSubscriber()
            let subscription = store.subscribe(subscriber, to: failed.dependencies)
            try store.update { try $0.get(DataID(id))?.setLinkedRecords([], forField: "rows") }
            #expect(subscriber.count > 0, "\(id)")
            withExtendedLifetime(subscription) {}
        }
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (7, 1), (Int.max, Int(Int32.max))])
    func anyNumberIsASize(_ size: Int, _ words: Int) throws {
        let store = Store(options: StoreOptions(resultSize: size))
        #expect(store.names.resultWords == words)
        let reader = bind("{rows:[+T]{id:ID!}}", in: store)
        try write(3, to: store, isNested: false)
        let read = store.read(AnyData.self, at: reader.root, reader.reader)
        #expect((read.data != nil) == (words > 1))
    }

    /// The search for what is not shown looks at each record once, however many paths lead to it.
    @Test func whatIsNotShownIsFoundOnManyPaths() throws {
        let store = Store()
        try write(60, to: store, isNested: false)
        try store.update { try $0.get("59")?.setValue(.null, forField: "a") }
        func rows(_ types: [String]) -> String {
            types.reversed().reduce("{a:Int!}") { inner, type in "{rows:\(type)\(inner)}" }
        }
        let some = bind(rows(Array(repeating: "[+T]", count: 6)), in: store)
        #expect(HoleSearch.fall(in: store.records, at: some.root, some.reader.plan) == nil)
        let holes = HoleSearch.holes(in: store.records, at: some.root, some.reader.plan, limit: 3)
        let paths = (0..<3).map { "rows[0].rows[0].rows[0].rows[0].rows[\($0)].rows[59].a" }
        #expect(holes.map(\.place.path.text) == paths)
        let all = bind(rows(["[+T!]!"] + Array(repeating: "[+T]", count: 4) + ["[+T!]!"]), in: store)
        #expect(HoleSearch.fall(in: store.records, at: all.root, all.reader.plan) == nil)
        let none = bind(rows(Array(repeating: "[+T!]!", count: 6)), in: store)
        let fall = HoleSearch.fall(in: store.records, at: none.root, none.reader.plan)
        #expect(fall?.place.path.text == "rows[0].rows[0].rows[0].rows[0].rows[0].rows[59].a")
    }

    // MARK: - Handles

    @Test func handlesFailAndShowTheDataAgainWhenItFits() async throws {
        let stage = Stage(resultSize: 1_600)
        let environment = stage.environment
        let handle = QueryHandle<Films.ListQuery>(in: environment)
        let failure = RelayError.resultTooLarge(component: "List", limit: 1_600)
        var key = 0
        for (count, fits) in [(2, true), (900, false), (3, true), (800, false), (1, true)] {
            key += 1
            _ = handle.get(fetchKey: key)
            await stage.answer(Films.list(count))
            if fits {
                #expect(handle.result.data?.films.count == count)
            } else {
                #expect(handle.result == .failure(failure) && !handle.isMissingData)
                #expect(handle.previousData?.films.isEmpty == false)
                #expect(environment.read(Films.ListQuery()).failure == failure)
                #expect(environment.read(Films.ListQuery()).data == nil)
                let events = stage.log.events.compactMap { event -> String? in
                    if case .resultTooLarge(let event) = event { "\(event)" } else { nil }
                }
                #expect(events.first == "'List' was not read, because its data needs more than 1600 bytes")
            }
            #expect(environment.store.checkInvariants() == [])
        }
    }

    /// A page that cannot be read is not added, like one that cannot be fetched.
    @Test(arguments: [FetchPolicy.networkOnly, .storeOrNetwork])
    func aPageThatIsTooLargeIsAFailedPage(_ policy: FetchPolicy) async throws {
        let stage = Stage(resultSize: 1_600)
        let list = PagedQuery<Todos.OffsetQuery>(in: stage.environment, fetchPolicy: policy) { _ in
            nil
        } next: { pages in
            pages.count == 1 ? .init(offset: 2, limit: 900) : nil
        }
        _ = list.get(.init(offset: 0, limit: 2))
        await stage.answer(Self.page(0..<2))
        let task = list.loadNext()
        await stage.answer(Self.page(2..<900))
        let failure = RelayError.resultTooLarge(component: "Offset", limit: 1_600)
        await #expect(throws: failure) { try await task.finished() }
        #expect(list.result.data?.count == 1 && list.hasNext && list.fetchError != nil)
        list.retry()
        await stage.answer(Self.page(2..<4))
        #expect(list.result.data?.count == 2 && list.fetchError == nil)
    }

    /// The store may have a page that is too large while its request is under way.
    @Test func aPageOfTheStoreThatIsTooLargeWaitsForItsRequest() async throws {
        let stage = Stage(resultSize: 1_600)
        let list = PagedQuery<Todos.OffsetQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork) { _ in
            nil
        } next: { pages in
            pages.count == 1 ? .init(offset: 2, limit: 900) : nil
        }
        _ = list.get(.init(offset: 0, limit: 2))
        await stage.answer(Self.page(0..<2))
        let stored = Todos.OffsetQuery(variables: .init(offset: 2, limit: 900))
        try stage.environment.publish(.response(json: Self.page(2..<900)), for: stored)
        let retention = stage.environment.retain(stored)
        let task = list.loadNext()
        await stage.settle()
        #expect(list.isLoadingNext && list.result.data?.count == 1)
        await stage.answer(Self.page(2..<4))
        try await task.finished()
        #expect(list.result.data?.count == 2 && list.fetchError == nil)
        withExtendedLifetime(retention) {}
    }

    private static func page(_ range: Range<Int>) -> String {
        let items = range.map { #"{"id":"\#($0)","text":"item \#($0)"}"# }
        return #"{"data":{"items":[\#(items.joined(separator: ","))]}}"#
    }

    private func bind(_ plan: String, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "W", kind: .query, text: "", normalization: plan, reader: plan)
        return store.bind(artifact, variables: .object([]))
    }

    /// Writes records that all link to all, at the root too.
    private func write(_ count: Int, to store: Store, isNested: Bool) throws {
        let (open, close) = isNested ? ("[", "]") : ("", "")
        let type = isNested ? "[[+T]]" : "[+T]"
        let writer = bind("{rows:\(type){id:ID! a:Int other:+T{id:ID! a:Int} rows:\(type){id:ID!}}}", in: store)
        let ids = (0..<count).map { #"{"__typename":"T","id":"\#($0)"}"# }.joined(separator: ",")
        let rows = (0..<count).map { id in
            #"{"__typename":"T","id":"\#(id)","a":\#(id),"other":{"__typename":"T","id":"0","a":0},"#
                + #""rows":\#(open)[\#(ids)]\#(close)}"#
        }
        try store.write(#"{"data":{"rows":\#(open)[\#(rows.joined(separator: ","))]\#(close)}}"#, for: writer)
    }
}
