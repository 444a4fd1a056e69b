import Baton
import StarWarsComponents
import TerminalRenderer

/// A planet, a species or a starship, and the characters that belong to it.
final class OtherDetail: DetailPage {
    private unowned let app: App
    private var id: String
    private let thing: QueryHandle<OtherDetailQuery>
    private let rows: FragmentComponent<CharacterRow_character>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app, thing) = (id, app, app.query())
        rows = FragmentComponent(in: app.screen, CharacterRow.draw)
    }

    var content: any Element {
        let loaded = thing.loaded(thing.get(id: id, fetchKey: app.fetchKey))
        let node = (loaded.data?.node?.fragments.otherFacts_node).flatMap { app.environment.read($0) }
        let facts = node.flatMap { OtherFacts($0) }
        Box(facts?.name ?? "", isFocused: app.isDetailFocused) {
            loaded.content { _ in facts.map(page) ?? Text.faint("There is nothing here.").padding(horizontal: 1) }
        }
    }

    private func page(_ facts: OtherFacts) -> any Element {
        guard let characters = app.environment.read(facts.characters)?.nodes else { return facts.element }
        let nobody = Text.faint(characters.isEmpty ? "nobody that is known" : "").padding(horizontal: 1)
        return app.page(
            characters.isEmpty ? [facts.element, nobody] : [facts.element], characters.map { .character($0.id) }, state
        ) { [rows] index, row in
            rows(characters[index].fragments.characterRow_character, row)
        }
    }

    func show(_ place: Place) -> Bool {
        guard case .other(let id) = place else { return false }
        (self.id, _) = (id, state.reset())
        return true
    }
}
