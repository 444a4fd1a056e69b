import TerminalRenderer

/// The right pane: what the selected row of the list leads to, or what was opened from there.
final class DetailPane: Component {
    private unowned let app: App
    /// What was opened, the last one on top.
    private var opened: [(place: Place, page: any DetailPage)] = []
    private var followed: (place: Place, page: any DetailPage)?

    init(in app: App) { self.app = app }

    var content: any Element {
        if let page = opened.last?.page {
            page
        } else if let place = app.list.place {
            page(following: place)
        } else {
            Box("") { Text.faint("Nothing is selected.").padding(horizontal: 1) }
        }
    }

    /// The page of the selected row. Rows of one kind share it, so that the last one is seen until the next is there.
    private func page(following place: Place) -> any DetailPage {
        if let followed, followed.place == place { return followed.page }
        let page = followed.flatMap { $0.page.show(place) ? $0.page : nil } ?? makePage(of: place)
        followed = (place, page)
        // An answer may have changed the row, and the page does not know that it has another place.
        app.screen.changed()
        return page
    }

    private func makePage(of place: Place) -> any DetailPage {
        switch place {
        case .film(let id): FilmDetail(id, in: app)
        case .character(let id): CharacterDetail(id, in: app)
        case .other(let id): OtherDetail(id, in: app)
        }
    }

    /// What the pane has shown last.
    var place: Place? { opened.last?.place ?? followed?.place }

    func open(_ place: Place) { opened.append((place, makePage(of: place))) }

    /// Closes what was opened last; returns false if nothing was.
    func close() -> Bool { opened.popLast() != nil }

    func closeAll() { opened = [] }
}
