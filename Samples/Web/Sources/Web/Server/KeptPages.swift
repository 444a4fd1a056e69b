import Baton
import HTML
import Synchronization

/// Keeps the bytes of pages for those who are not signed in, as long as the shared data is what it was.
///
/// Nothing private is ever kept, because nothing private is here: a page is made of the shared data and its address by
/// a function that is older than every request. Visitors, cookies and forms are not within reach, and what has to
/// differ each time is a ``SentOnce``, which becomes bytes only when it is sent.
///
/// Requests that wait for the same page share one rendering. The pages used longest ago are dropped when there are too
/// many. State: guarded by a lock of its own, a leaf.
final class KeptPages: Sendable {
    private typealias Making = Task<Result<KeptPage?, PageError>, Never>

    private struct Entry {
        let page: KeptPage
        var lastUse: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var making: [String: Making] = [:]
        var time: UInt64 = 0
    }

    private let shared: SharedEnvironment
    private let mostPages: Int
    private let mostBytes: Int
    private let state = Mutex(State())

    init(shared: SharedEnvironment, mostPages: Int = 1_000, mostBytes: Int = 32 << 20) {
        self.shared = shared
        self.mostPages = max(1, mostPages)
        self.mostBytes = mostBytes
    }

    /// The number of pages and the bytes that they take.
    var size: (pages: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.size) } }

    /// The page at an address, if it is kept and its data is what it was.
    func page(at address: WebAddress) -> KeptPage? {
        let page = state.withLock { state -> KeptPage? in
            state.time += 1
            state.entries[address.text]?.lastUse = state.time
            return state.entries[address.text]?.page
        }
        guard let page, shared.revision(of: page.queries) == page.revision else { return nil }
        return page
    }

    /// Makes the page at an address, or waits for a request that makes it. Returns nil for a page that is not kept: one
    /// that arrives in parts, or whose data has changed meanwhile.
    func make(
        _ make: @escaping @Sendable (PageAddress) -> some Page, at address: PageAddress
    ) async throws(PageError) -> KeptPage? {
        let page = make(address)
        // The data is waited for here, so that a rendering waits for nothing.
        do throws(RelayError) { _ = try await shared.environment(with: page.queries) } catch {
            throw PageError(error.publicFailure)
        }
        if let kept = self.page(at: address.text) { return kept }
        let key = address.text.text
        let (making, isFirst) = state.withLock { state -> (Making, Bool) in
            if let making = state.making[key] { return (making, false) }
            let making = Making { [self] in
                let result = await render(page, at: address)
                note(result, under: key)
                return result
            }
            state.making[key] = making
            return (making, true)
        }
        guard let made = try await making.value.get() else { return nil }
        // A rendering that began before this request may not have what the visitor has just written.
        return isFirst || shared.revision(of: made.queries) == made.revision ? made : nil
    }

    private func render(_ page: some Page, at address: PageAddress) async -> Result<KeptPage?, PageError> {
        do throws(RelayError) {
            guard let revision = shared.revision(of: page.queries) else { return .success(nil) }
            let environment = try await shared.environment(with: page.queries)
            let visit = Visit(
                environment: environment, visitor: nil, address: address.text,
                hasHoles: page.queries.contains { !shared.errors(of: $0).isEmpty })
            let content: Content
            do throws(PageError) { content = try page.content(visit) } catch { return .failure(error) }
            guard content.status == 200 else { return .success(nil) }
            let opening = Layout.opening(content, visit) + content.body
            guard let later = content.later else {
                return .success(kept(opening, content, page.queries, revision))
            }
            // The second revision stands for all data only if that of the first part has not changed.
            let queries = page.queries + [later.query]
            guard let whole = shared.revision(of: queries), shared.revision(of: page.queries) == revision else {
                return .success(nil)
            }
            let data = try await shared.environment(with: [later.query])
            let part = later.render(Visit(environment: data, visitor: nil, address: address.text))
            return .success(kept(opening + part, content, queries, whole))
        } catch {
            return .success(nil)
        }
    }

    private func kept(
        _ beginning: HTML, _ content: Content, _ queries: [any GraphQLQuery],
        _ revision: SharedEnvironment.Revision
    ) -> KeptPage {
        KeptPage(
            bytes: PageBytes(beginning, end: content.end, isCompressed: true), queries: queries, revision: revision)
    }

    // MARK: - Keeping

    private func note(_ result: Result<KeptPage?, PageError>, under key: String) {
        state.withLock { state in
            state.making[key] = nil
            if let old = state.entries.removeValue(forKey: key) { state.size -= old.page.bytes.size }
            guard case .success(let page?) = result, page.bytes.size <= mostBytes / 4 else { return }
            state.time += 1
            state.entries[key] = Entry(page: page, lastUse: state.time)
            state.size += page.bytes.size
            guard state.entries.count > mostPages || state.size > mostBytes else { return }
            // Several are dropped at once, so that they are seldom sorted.
            for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                guard state.entries.count > mostPages - mostPages / 10 || state.size > mostBytes - mostBytes / 10
                else { break }
                state.entries[key] = nil
                state.size -= entry.page.bytes.size
            }
        }
    }
}
