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

    private let mock = MockEnvironment()
    private let page: Page
    private let screen: Screen

    init() {
        page = Page(mock.environment)
        screen = Screen(mock.environment, clock: mock.clock)
        screen.show(page)
    }

    private func lines() -> [String] { screen.canvas(size: Size(width: 60, height: 4)).lines }

    private func commit(_ answer: MockAnswer) async {
        mock.queue(answer, for: FilmFavoriteMutation.self)
        _ = try? await page.favorite.commit(input: FavoriteFilmInput(filmId: "f1", isFavorite: true))
        await settle(mock.environment)
    }

    @Test
    func aFailureIsShownUntilAnotherCommitSucceeds() async {
        #expect(lines() == ["page", "end", "", ""])
        await commit(.errors([["message": "the vault is closed"]]))
        let failed = lines()
        #expect(failed[1].hasPrefix("The film is as it was: "), "\(failed)")
        #expect(failed[1...2].joined(separator: " ").contains("the vault is closed"), "\(failed)")
        #expect(failed.joined(separator: " ").contains("r tries again"))
        #expect(screen.receive(.key(.character("r"))))
        #expect(page.presses == 1)
        await commit(.data(["favoriteFilm": nil]))
        #expect(lines() == ["page", "end", "", ""])
        #expect(!screen.receive(.key(.character("r"))))
    }

    @Test
    func anAnswerWithErrorsBesideItsDataIsAFailure() async {
        await commit(.data(["favoriteFilm": nil], errors: [["message": "only half is done"]]))
        #expect(lines()[1].hasPrefix("The film is as it was: only half is done r tries again"))
    }
}
