import RandomCases
import Testing

@testable import Baton

/// The machine of a paged query as a value. Questions are answered in any order, and other events come in between, as
/// from several threads.
@Suite struct PagedQueryMachineTests {
    private typealias Page = PagedQueryMachine.Page

    private struct Threads {
        enum Question {
            case ask(Int)
            case inspect(Int, PagedQueryMachine.Loading)
            case read(PagedQueryMachine.ReadTask)
        }

        let environment: RelayEnvironment
        let seed: Int
        var machine = PagedQueryMachine()
        var random: SeededGenerator
        var questions: [Question] = []
        var made: [ObjectIdentifier] = []
        var closed: Set<ObjectIdentifier> = []
        /// The loads that callers wait for, and those that are over.
        var waiting: [ObjectIdentifier: Completion] = [:]
        var finished: Set<ObjectIdentifier> = []
        /// Cores that were given to the machine, so that they are not reused as objects.
        var cores: [QueryCore] = []
        var shown = 0
        var notices = 0
        var isClosed = false

        init(_ environment: RelayEnvironment, seed: Int) {
            self.environment = environment
            self.seed = seed
            random = SeededGenerator(seed: UInt64(seed))
        }

        func holds(_ condition: Bool, _ comment: @autoclosure () -> String) {
            // `#expect` takes a millisecond, which is too much for so many checks.
            if !condition { Issue.record("seed \(seed): \(comment())") }
        }

        mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

        mutating func page() -> Page {
            let core = QueryCore("Page", environment: environment, FetchOptions(policy: .networkOnly), isPart: true)
            cores.append(core)
            made.append(ObjectIdentifier(core))
            return Page(core: core, variables: cores.count) { _ in }
        }

        /// Sends an event, and returns what its caller is told.
        @discardableResult
        mutating func send(_ event: PagedQueryMachine.Event) -> PagedQueryMachine.Notice? {
            let (moves, pages) = (machine.moves, machine.pages.map { ObjectIdentifier($0.core) })
            var told: [PagedQueryMachine.Notice] = []
            var hasMoved = false
            for effect in machine.handle(event).all {
                switch effect {
                case .caller(.ask(let number, _, _)):
                    holds(!isClosed, "asks after the end")
                    questions.append(.ask(number))
                case .caller(.inspect(let number, let load)): questions.append(.inspect(number, load))
                case .caller(.read(let task)): questions.append(.read(task))
                case .caller(.tell(let notice)): told.append(notice)
                case .queue(.close(let core)):
                    holds(closed.insert(ObjectIdentifier(core)).inserted, "closes a page twice")
                case .queue(.notify): hasMoved = true
                case .queue(.finish(let completion, _)):
                    let key = ObjectIdentifier(completion)
                    holds(waiting[key] != nil, "ends what has not begun")
                    holds(finished.insert(key).inserted, "a caller is told twice")
                case .caller(.discard): break
                }
            }
            holds(told.count <= 1, "a call is told of twice")
            holds(moves == machine.moves || hasMoved, "a move that observers are not told of")
            if pages != machine.pages.map({ ObjectIdentifier($0.core) }) {
                holds(moves < machine.moves || machine.loads.isClosed, "other pages without a move")
            }
            return told.first
        }

        /// Notes what a call that begins a load is told.
        mutating func note(_ notice: PagedQueryMachine.Notice?, _ completion: Completion, _ page: Page) {
            let isClosedPage = closed.contains(ObjectIdentifier(page.core))
            switch notice {
            case .load(let number, let known):
                waiting[ObjectIdentifier(known)] = known
                holds(number > 0, "a load without a number")
                holds(isClosedPage == (known !== completion), "keeps a page that is not needed")
            case .moved, .refused: holds(isClosedPage, "keeps a page that is not loaded")
            default: holds(false, "a call is not told what becomes of it")
            }
        }

        mutating func answer() {
            guard let index = questions.indices.randomElement(using: &random) else { return }
            switch questions.remove(at: index) {
            case .ask(let number): holds(send(.asked(number)) == nil, "tells what nobody asked")
            case .inspect(let number, let load):
                let phases: [PolicyMachine.Phase] = [.idle, .loading, .showing, .showingNull, .failed(.noResponse)]
                let state = PagedQueryMachine.PageState(
                    phase: phases.randomElement(using: &random) ?? .idle, isFetching: one(in: 3),
                    error: one(in: 4) ? .noResponse : nil)
                let before = machine.pages
                let isUnderWay = machine.load(of: load.kind)?.number == number
                holds(send(.inspected(number, state)) == nil, "tells what nobody asked")
                guard !isUnderWay else { return }
                holds(
                    before.elementsEqual(machine.pages) { $0.core === $1.core }, "takes a page of a load that is over")
            case .read(let task):
                let parts: [Reading] = task.pages.map { _ in
                    shown += 1
                    return one(in: 5)
                        ? .nothing : Reading(after: nil, one(in: 5) ? .loading : .data(nil), changedBy: shown)
                }
                let notice = send(.read(parts, task, isArriving: one(in: 5)))
                switch notice {
                case .reading(let reading):
                    holds(reading.revision > 0 && !machine.pages.isEmpty, "shows nothing")
                    holds(
                        task.pages.elementsEqual(machine.pages) { $0.core === $1.core }, "shows pages that are gone")
                case .moved: break
                default: holds(false, "a reader is not told")
                }
            }
        }

        /// Something that a caller, a page or the store does.
        mutating func act() {
            let first = machine.firstPage
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1:
                let page = page()
                let known = one(in: 4) ? nil : first?.core
                let notice = send(.begun(page, after: known))
                if case .begun? = notice {
                    holds(
                        isClosed || machine.pages.count == 1 && machine.firstPage?.core === page.core, "does not begin")
                    holds(machine.loads.isIdle, "a load of a list that is over")
                } else {
                    holds(closed.contains(ObjectIdentifier(page.core)), "keeps a page that is not shown")
                }
            case 2, 3:
                let (page, completion) = (page(), Completion())
                let beginnings = machine.beginnings - (one(in: 5) ? 1 : 0)
                note(send(.refetched(page, completion, beginnings: beginnings)), completion, page)
            case 4, 5, 6, 7:
                let (page, completion) = (page(), Completion())
                let kind: LoadMachine.Kind = one(in: 3) ? .previous : .next
                let moves = machine.moves - (one(in: 5) ? 1 : 0)
                note(send(.paged(kind, page, completion, .policy, moves: moves)), completion, page)
            case 8: send(.cancelled(Int.random(in: 0...machine.loads.last + 1, using: &random)))
            case 9:
                send(.givenUp)
                holds(machine.loads.isIdle, "something goes on that was given up")
            case 10:
                guard let first else { return }
                let page = one(in: 2) ? first : page()
                let beginnings = machine.beginnings - (one(in: 4) ? 1 : 0)
                if case .begun? = send(.emptied(page, beginnings: beginnings)) {
                    holds(isClosed || machine.pages.count == 1 && machine.firstPage?.core === page.core, "keeps pages")
                }
            case 11, 12: send(.pageChanged)
            default:
                let notice = send(.looked)
                holds(machine.pages.isEmpty == (notice != nil), "reads a list without pages")
            }
        }

        /// What holds after every step.
        func check() {
            let kinds = [LoadMachine.Kind.refetch, .next, .previous].filter { machine.load(of: $0) != nil }
            for kind in kinds {
                holds(machine.loads.number(of: kind) == machine.load(of: kind)?.number, "another load than it says")
            }
            holds(machine.loads.isIdle == kinds.isEmpty, "a load without a page")
            holds(!kinds.contains(.refetch) || kinds.count == 1, "a page is loaded during a refetch")
            for page in machine.pages { holds(!closed.contains(ObjectIdentifier(page.core)), "shows a closed page") }
            let open = made.filter { !closed.contains($0) }
            holds(open.count == machine.pages.count + kinds.count, "a page that is neither shown nor loaded is open")
            let unfinished = waiting.keys.filter { !finished.contains($0) }
            holds(unfinished.count == kinds.count, "somebody waits for nothing")
        }
    }

    @Test(arguments: RandomCases.seeds(300)) func anyOrderOfEventsAndAnswersKeepsWhatAlwaysHolds(_ seed: Int) {
        let stage = Stage()
        var threads = Threads(stage.environment, seed: seed)
        for _ in 0..<100 {
            if threads.one(in: 2) { threads.act() } else { threads.answer() }
            threads.check()
        }
        threads.send(.closed)
        threads.isClosed = true
        threads.check()
        for _ in 0..<10 { threads.act() }
        while !threads.questions.isEmpty { threads.answer() }
        threads.check()
        threads.holds(threads.closed.count == threads.made.count, "a page is open after the end")
        threads.holds(threads.finished == Set(threads.waiting.keys), "somebody waits after the end")
    }
}
