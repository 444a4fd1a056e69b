import Foundation
import Testing

@testable import Baton

#if canImport(Glibc)
    import Glibc

    /// What handles leave behind, and what environments over one base take.
    ///
    /// Other tests use the heap at the same time. So the heap is looked at in several rounds: what handles leave makes
    /// it grow in each of them, and the least growth counts. The benchmark `handle.million-kb` makes a million handles.
    @Suite(.timeLimit(.minutes(20)), .serialized) struct HandleMemoryTests {
        private static let count = 2_000
        /// The growth that is allowed for a handle that is gone, in bytes; each kind takes more while it lives.
        private static let allowed = 64

        enum Kind: CaseIterable {
            case query, missing, fragment, refetch, paged, mutation, subscription, preload, track
        }

        /// The anonymous memory of this process in bytes, after the allocator has returned free memory.
        private static var heap: Int {
            typealias Trim = @convention(c) (Int) -> Int32
            // The module of the C library does not declare the function.
            if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }

        /// Returns the least growth of the heap in some rounds, the first one left out. Ends with the first growth that
        /// is allowed.
        private func growth(_ round: () async throws -> Void) async rethrows -> Int {
            var least = Int.max
            try await round()
            for _ in 0..<20 where least >= Self.allowed * Self.count {
                let before = Self.heap
                try await round()
                least = min(least, Self.heap - before)
            }
            return least
        }

        private func shown() async -> (Stage, QueryHandle<Films.FilmQuery>) {
            let stage = Stage()
            let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
            _ = handle.get(id: "1")
            await stage.answer(Films.film("1", "one"))
            return (stage, handle)
        }

        /// Makes a handle of a kind, uses it, and returns it.
        private func make(
            _ kind: Kind, _ environment: RelayEnvironment, _ row: FragmentReference<Films.FilmRow>
        ) -> AnyObject {
            switch kind {
            case .query:
                let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOnly)
                #expect(handle.get(id: "1").data?.film?.title == "one")
                return handle
            case .missing:
                let handle = QueryHandle<Todos.OffsetQuery>(in: environment, fetchPolicy: .storeOnly)
                #expect(handle.get(.init(offset: 0, limit: 2)).data?.items == nil)
                return handle
            case .fragment:
                let handle = FragmentHandle(row)
                #expect(handle.get().data?.title == "one")
                return handle
            case .refetch:
                let handle = FragmentHandle<Todos.TodoList>(nil, in: environment)
                #expect(!handle.hasNext && !handle.isFetching && handle.get() == .success(nil))
                return handle
            case .paged:
                let handle = PagedQuery<Todos.OffsetQuery>(in: environment, fetchPolicy: .storeOnly) { _ in nil }
                _ = handle.get(.init(offset: 0, limit: 2))
                return handle
            case .mutation:
                let handle = MutationHandle<Films.SetFavouriteMutation>(in: environment)
                #expect(!handle.isFetching)
                return handle
            case .subscription:
                let handle = SubscriptionHandle<FilmChangedSubscription>(in: environment)
                #expect(!handle.isFetching)
                return handle
            case .preload: return environment.preload(Films.FilmQuery(id: "1"), policy: .storeOnly)
            case .track: return environment.track { environment.read(row)?.title }.changed
            }
        }

        @Test(arguments: Kind.allCases) func whatIsGoneLeavesTheHeapAsItWas(_ kind: Kind) async throws {
            let (stage, handle) = await shown()
            let row = try #require(handle.result.data?.film?.row)
            let left = await growth {
                for _ in 0..<Self.count { _ = make(kind, stage.environment, row) }
                await stage.settle()
                stage.log.clear()
            }
            #expect(left < Self.allowed * Self.count)
        }

        /// The measure sees handles that stay, once they have filled the holes that other tests left.
        @Test(arguments: Kind.allCases) func whatStaysIsSeen(_ kind: Kind) async throws {
            let (stage, handle) = await shown()
            let row = try #require(handle.result.data?.film?.row)
            var kept: [AnyObject] = []
            var most = 0
            for _ in 0..<60 where most <= Self.allowed * Self.count {
                let before = Self.heap
                for _ in 0..<Self.count { kept.append(make(kind, stage.environment, row)) }
                most = max(most, Self.heap - before)
            }
            #expect(most > Self.allowed * Self.count)
            kept = []
            await stage.settle()
        }

        /// A base of 10,000 films takes several megabytes, an environment over it no more than it writes.
        @Test func tenThousandEnvironmentsTakeWhatTheyTouch() async throws {
            let shared = Stage()
            try await shared.seed(Films.ListQuery(), Films.list(2_000))
            let retention = shared.environment.retain(Films.ListQuery())
            let base = shared.environment.base()
            var environments: [RelayEnvironment] = []
            let taken = await growth {
                environments = []
                environments = (0..<1_000).map { _ in RelayEnvironment(over: base, network: shared.network) }
                environments = []
            }
            #expect(taken < 1_000 * 1_000, "nothing is left of them")
            let before = Self.heap
            environments = (0..<10_000).map { _ in RelayEnvironment(over: base, network: shared.network) }
            #expect(Self.heap - before < 16_384 * 10_000)
            for environment in environments.prefix(500) {
                try environment.update { try $0.get("7")?.setValue("own", forField: "title") }
            }
            #expect(Self.heap - before < 16_384 * 10_000 + 500 * 131_072)
            withExtendedLifetime(retention) {}
        }
    }
#endif
