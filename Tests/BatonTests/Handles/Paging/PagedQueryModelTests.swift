import Foundation
import RandomCases
import Testing

@testable import Baton

/// Random interleavings of pages at both ends, refetches, other variables, failures, cancellations, publishes and
/// resets against lists in arrays.
@Suite(.timeLimit(.minutes(20))) struct PagedQueryModelTests {
    @Test(arguments: RandomCases.seeds(27)) func pagesAreNeverLostOrDoubled(_ seed: Int) async throws {
        let model = PagedQueryModel(seed: UInt64(seed + 1))
        for step in 0..<50 {
            let text = await model.step()
            guard await model.check("seed \(seed), step \(step): \(text)") else { return }
        }
        await model.end()
    }
}

/// The lists that the observer of a paged query was told, as texts of items.
private actor Lists {
    private(set) var all: [[String]] = []

    func note(_ list: [String]) { all.append(list) }
    func clear() { all = all.suffix(1) }
}

/// A paged query, and the pages that it must show.
final class PagedQueryModel {
    typealias Query = Todos.OffsetQuery

    /// A page with the texts of its items.
    struct Page: Equatable {
        let offset: Int
        let limit: Int
        var texts: [String]
    }

    /// A load in flight: of the first page, of another one, or a refetch.
    enum Load: Equatable {
        case first
        case next
        case previous
        case refetch
    }

    private static let count = 9
    let network = PlayedNetwork()
    let environment: RelayEnvironment
    private var handle: PagedQuery<Query>?
    private let lists = Lists()
    private var random: SeededGenerator
    /// Nil before the first page has come.
    private var pages: [Page]?
    private var loads: [Load] = []
    private var asked = (offset: 0, key: 0)
    /// Each answer of a first page begins a list with other texts, because the service has changed.
    private var version = 0
    private var failed: Load?
    private var refetches: [Task<Void, Never>] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        environment = RelayEnvironment(
            network: network, options: StoreOptions(releaseBufferSize: 0, keepsNewerFields: false))
        let handle = PagedQuery<Query>(in: environment) { pages in
            guard let first = pages.first?.variables, first.offset > 0 else { return nil }
            return Query.Variables(offset: max(first.offset - 2, 0), limit: min(2, first.offset))
        } next: { pages in
            guard let last = pages.last, last.data.items?.count == last.variables.limit else { return nil }
            return Query.Variables(offset: last.variables.offset + last.variables.limit, limit: 2)
        }
        self.handle = handle
        handle.observe(on: lists) { lists, result in
            if case .success(let pages?) = result { lists.note(Self.texts(pages)) }
        }
        get()
    }

    private static func texts(_ pages: [Query.Data]) -> [String] {
        pages.flatMap { page in page.items?.map { $0.text ?? "-" } ?? [] }
    }

    private func get() {
        _ = handle?.get(.init(offset: asked.offset, limit: 2), fetchKey: asked.key)
        loads = [.first]
        (pages, failed) = (nil, nil)
    }

    private func answer(_ request: NetworkRequest, version: Int) -> Page {
        let (offset, limit) = (request.number("offset") ?? 0, request.number("limit") ?? 0)
        let texts = (offset..<min(offset + limit, Self.count)).map { "\(version):\($0)" }
        return Page(offset: offset, limit: limit, texts: texts)
    }

    private func json(_ page: Page) -> String {
        let items = page.texts.enumerated().map { #"{"id":"o\#(page.offset + $0)","text":"\#($1)"}"# }
        return #"{"data":{"items":[\#(items.joined(separator: ","))]}}"#
    }

    private var hasNext: Bool { pages?.last.map { $0.texts.count == $0.limit } ?? false }
    private var hasPrevious: Bool { pages?.first.map { $0.offset > 0 } ?? false }

    private func settle() async {
        for _ in 0..<2_000_000 {
            let counts = environment.activity.counts
            if counts.deliveries == 0, counts.collections == 0, counts.requests == network.waiting.count,
                environment.activity.counts.revision == counts.revision
            {
                return
            }
            await Task.yield()
        }
        Issue.record("the network waits for \(network.waiting.count) requests, and there is no rest")
    }

    // MARK: - Steps

    func step() async -> String {
        guard let handle else { return "" }
        defer { if Int.random(in: 0..<6, using: &random) == 0 { environment.collectGarbage() } }
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3:
            if pages != nil, !loads.contains(.first), !loads.contains(.refetch), !loads.contains(.next), hasNext {
                begin(.next)
            }
            handle.loadNext()
            return "next"
        case 4...5:
            if pages != nil, !loads.contains(.first), !loads.contains(.refetch), !loads.contains(.previous),
                hasPrevious
            {
                begin(.previous)
            }
            handle.loadPrevious()
            return "previous"
        case 6:
            // What was fetched under a key is not fetched again under it.
            asked = ((asked.offset + Int.random(in: 1...3, using: &random)) % 5, asked.key + 1)
            get()
            return "get(\(asked))"
        case 7:
            asked.key += 1
            get()
            return "fetchKey \(asked.key)"
        case 8...9:
            guard pages != nil, !loads.contains(.first) else { return "no refetch" }
            // What is loaded at the ends belongs to the old list.
            loads = [.refetch]
            failed = nil
            refetches.append(.begun { [handle] in _ = await handle.refetched() })
            return "refetch"
        case 10...15: return await respond(fails: false)
        case 16: return await respond(fails: true)
        case 17:
            // What has failed is given up too, so there is nothing to retry.
            loads.removeAll { $0 != .first }
            failed = nil
            handle.cancel()
            return "cancel"
        case 18:
            guard let failed else { return "no retry" }
            // The page at the other end may still be in flight.
            handle.retry()
            begin(failed)
            return "retry \(failed)"
        default:
            if Bool.random(using: &random) { return publish() }
            environment.reset(refetching: true)
            get()
            return "reset"
        }
    }

    private func begin(_ load: Load) {
        loads.append(load)
        failed = nil
    }

    private func publish() -> String {
        guard let page = pages?.randomElement(using: &random),
            let text = page.texts.indices.randomElement(using: &random)
        else { return "no publish" }
        let (number, new) = (page.offset + text, "changed \(Int.random(in: 0...99, using: &random))")
        try? environment.update { try $0.get(DataID("o\(number)"))?.setValue(.string(new), forField: "text") }
        change(number, to: new)
        return "publish"
    }

    /// An item is one record, in whatever page it stands.
    private func change(_ number: Int, to text: String) {
        pages = pages?.map { page in
            var page = page
            if page.texts.indices.contains(number - page.offset) { page.texts[number - page.offset] = text }
            return page
        }
    }

    private func respond(fails: Bool) async -> String {
        await settle()
        guard let request = network.waiting.randomElement(using: &random) else { return "nothing waits" }
        let load: Load
        if let only = loads.first, loads.count == 1 {
            load = only
        } else {
            load = request.number("offset") ?? 0 < pages?.first?.offset ?? 0 ? .previous : .next
        }
        loads.removeAll { $0 == load }
        if fails {
            network.fail(request)
            failed = load
            await settle()
            return "fail \(load)"
        }
        if load == .first || load == .refetch { version += 1 }
        let page = answer(request, version: version)
        network.give(json(page), to: request)
        await settle()
        for (index, text) in page.texts.enumerated() { change(page.offset + index, to: text) }
        switch load {
        case .first, .refetch: pages = [page]
        case .next: pages?.append(page)
        case .previous: pages?.insert(page, at: 0)
        }
        return "answer \(load)"
    }

    // MARK: - Invariants

    /// Returns false if something is wrong.
    func check(_ step: String) async -> Bool {
        await settle()
        guard let handle else { return false }
        let told = await lists.all
        await lists.clear()
        let complaints = violations(handle, told)
        #expect(complaints.isEmpty, "\(step)")
        return complaints.isEmpty
    }

    private func violations(_ handle: PagedQuery<Query>, _ told: [[String]]) -> [String] {
        var found: [String] = []
        func expect(_ isTrue: Bool, _ text: String) { if !isTrue { found.append(text) } }
        let shown = pages.map { $0.flatMap(\.texts) }
        expect(handle.result.data.map(Self.texts) == shown, "\(handle.result) instead of \(shown ?? [])")
        expect(handle.result.data?.count == pages?.count, "\(handle.result.data?.count ?? 0) pages")
        expect(handle.hasNext == hasNext && handle.hasPrevious == hasPrevious, "wrong ends")
        expect(handle.isLoadingNext == loads.contains(.next), "loads next: \(handle.isLoadingNext)")
        expect(handle.isLoadingPrevious == loads.contains(.previous), "loads previous: \(handle.isLoadingPrevious)")
        expect(network.waiting.count == loads.count, "\(network.waiting.count) requests instead of \(loads)")
        if let shown { expect(told.last == shown, "was told \(told.last ?? [])") }
        for list in told {
            // A text that a publish has changed has no version.
            let versions = Set(list.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } })
            expect(versions.count <= 1, "a list mixes an old one with a new one: \(list)")
        }
        return found
    }

    func end() async {
        for refetch in refetches { refetch.cancel() }
        for refetch in refetches { await refetch.value }
        handle = nil
        refetches = []
        await settle()
        #expect(network.waiting.isEmpty, "nothing is in flight after the handle")
        environment.collectGarbage()
        #expect(environment.store.records.rowCount <= 1, "nothing is retained")
    }
}
