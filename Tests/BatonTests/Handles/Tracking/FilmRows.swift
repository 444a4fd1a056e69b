@testable import Baton

typealias FilmRow_film = Films.FilmRow

// The component of the guide 'Rendering by tracking', which quotes it from here to the end. Only the name of the row's
// fragment is that of generated code.

actor Row {
    private let row: FragmentHandle<FilmRow_film>
    private let environment: RelayEnvironment
    private let show: @Sendable (String) -> Void
    private var changed: TrackedChange?

    init(
        _ film: FragmentReference<FilmRow_film>, in environment: RelayEnvironment,
        show: @escaping @Sendable (String) -> Void
    ) {
        (row, self.environment) = (FragmentHandle(film, in: environment), environment)
        self.show = show
    }

    func draw() {
        let (text, changed) = environment.track {
            let film = row.get().data
            return (film?.favourite == true ? "* " : "  ") + (film?.title ?? "...")
        }
        show(text)
        self.changed = changed
        changed.deliver(on: self) { $0.draw() }
    }
}
