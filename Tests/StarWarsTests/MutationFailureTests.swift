import Baton
import BatonTesting
import StarWarsComponents
import TerminalRenderer
import Testing

/// What a screen says of a mutation that has failed.
@MainActor @Suite
struct MutationFailureTests {
    private final class Page: Component {
        let favorite: MutationHandle<FilmFavoriteMutation>
        var presses = 0

        init(_ environment: RelayEnvironment) { favorite = MutationHandle(in: environment) }

        var content: any Element {
            Column {
                Text("page")
                MutationFailure(favorite, "The film is as it was", key: "r") { [self] in presses += 1 }
                Text("end")
            }
        }
    }

    private let network = MockNetwork()
    private let environment: RelayEnvironment
    private let page: Page
    private let screen: Screen

    init() {
        let clock = ManualClock()
        environment = RelayEnvironment(network: network, clock: clock)
        page = Page(environment)
        screen = Screen(environment, clock: clock)
        screen.show(page)
    }

    private func lines() async -> [String] {
        await settle(environment)
        return screen.canvas(size: Size(width: 60, height: 4)).lines
    }

    /// Commits, and answers the request.
    private func commit(_ answer: (MockRequest) -> Void) async throws {
        let commit = Task { [favorite = page.favorite] in
            try? await favorite.commit(input: FavoriteFilmInput(filmId: "f1", isFavorite: true))
        }
        answer(try await network.nextRequest())
        _ = await commit.value
    }

    @Test
    func aFailureIsShownUntilAnotherCommitSucceeds() async throws {
        #expect(await lines() == ["page", "end", "", ""])
        try await commit { $0.respond(errors: [["message": "the vault is closed"]]) }
        let failed = await lines()
        #expect(failed[1].hasPrefix("The film is as it was: "), "\(failed)")
        #expect(failed[1...2].joined(separator: " ").contains("the vault is closed"), "\(failed)")
        #expect(failed.joined(separator: " ").contains("r tries again"))
        #expect(screen.receive(.key(.character("r"))))
        #expect(page.presses == 1)
        try await commit { $0.respond(data: ["favoriteFilm": nil]) }
        #expect(await lines() == ["page", "end", "", ""])
        #expect(!screen.receive(.key(.character("r"))))
    }

    @Test
    func anAnswerWithErrorsBesideItsDataIsAFailure() async throws {
        try await commit { $0.respond(data: ["favoriteFilm": nil], errors: [["message": "only half is done"]]) }
        #expect(await lines()[1].hasPrefix("The film is as it was: only half is done r tries again"))
    }
}
