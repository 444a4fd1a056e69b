import Testing

@testable import Baton

/// What `RenderedFragment` and `RenderedFragments` guarantee.
@Suite(.timeLimit(.minutes(20))) struct RenderedFragmentTests {
    typealias Row = RenderedFragment<Films.FilmRow, Int, String>
    let stage = Stage()

    private func rename(_ title: String, of id: String) throws {
        try stage.environment.update { store in try store.get(DataID(id))?.setValue(.string(title), forField: "title") }
    }

    private func references(_ count: Int) async throws -> [FragmentReference<Films.FilmRow>] {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = list.get()
        await stage.answer(Films.list(count))
        return try #require(list.get().data?.films).compactMap { $0?.row }
    }

    /// Counts what a row tells and draws.
    actor Screen {
        private(set) var told = 0
        let drawn = Guarded(0)

        func tell() { told += 1 }

        nonisolated func row(
            _ reference: FragmentReference<Films.FilmRow>, in environment: RelayEnvironment
        ) -> Row {
            Row(reference, in: environment) { film, width in
                self.drawn.withLock { $0 += 1 }
                return "\(width) \(film.data?.title ?? "")"
            }
        }

        nonisolated var drawings: Int { drawn.withLock { $0 } }
    }

    @Test("A row returns the frame that it has until its data or its input has changed.")
    func frames() async throws {
        let screen = Screen()
        let row = screen.row(try await references(2)[0], in: stage.environment)
        #expect(screen.drawings == 0)
        for _ in 0..<3 { #expect(row.frame(8, on: screen) { $0.tell() } == "8 Film 1") }
        #expect(screen.drawings == 1)
        #expect(row.frame(9, on: screen) { $0.tell() } == "9 Film 1" && screen.drawings == 2)
        try rename("one", of: "1")
        #expect(row.frame(9, on: screen) { $0.tell() } == "9 one" && screen.drawings == 3)
        #expect(row.handle.get().data?.title == "one")
    }

    @Test("The actor is told once of a change, until the row is drawn again.")
    func telling() async throws {
        let screen = Screen()
        let row = screen.row(try await references(1)[0], in: stage.environment)
        _ = row.frame(8, on: screen) { $0.tell() }
        for title in ["a", "b"] {
            try rename(title, of: "1")
            await stage.settle()
        }
        #expect(await screen.told == 1)
        #expect(row.frame(8, on: screen) { $0.tell() } == "8 b")
        try rename("c", of: "1")
        await stage.settle()
        #expect(await screen.told == 2 && screen.drawings == 2)
        withExtendedLifetime(row) {}
    }

    @Test("A change of another row does not change this row.")
    func others() async throws {
        let screen = Screen()
        let row = screen.row(try await references(2)[0], in: stage.environment)
        _ = row.frame(8, on: screen) { $0.tell() }
        try rename("b", of: "2")
        await stage.settle()
        #expect(await screen.told == 0)
        #expect(row.frame(8, on: screen) { $0.tell() } == "8 Film 1" && screen.drawings == 1)
    }

    @Test("A change of data that a row has read does not change the frame around the row.")
    func inside() async throws {
        let screen = Screen()
        let row = screen.row(try await references(1)[0], in: stage.environment)
        let (_, changed) = stage.environment.track { row.frame(8, on: screen) { $0.tell() } }
        try rename("b", of: "1")
        await stage.settle()
        #expect(!changed.hasChanged)
        #expect(await screen.told == 1)
    }

    @Test("After the end of the row the actor is told nothing.")
    func end() async throws {
        let screen = Screen()
        let reference = try await references(1)[0]
        do {
            let row = screen.row(reference, in: stage.environment)
            _ = row.frame(8, on: screen) { $0.tell() }
        }
        try rename("b", of: "1")
        await stage.settle()
        #expect(await screen.told == 0)
    }

    // MARK: - Lists

    private func list() -> RenderedFragments<Films.FilmRow, Int, String> {
        RenderedFragments { film, _ in film.data?.title ?? "" }
    }

    @Test("A row stays while its reference is in the list, also at another place.")
    func rowsStay() async throws {
        let references = try await references(4)
        let screen = Screen()
        var list = list()
        list.show(references, in: stage.environment)
        #expect(list.frames(8, on: screen) { $0.tell() } == ["Film 1", "Film 2", "Film 3", "Film 4"])
        let before = list.rows
        list.show(references, in: stage.environment)
        #expect(zip(list.rows, before).allSatisfy { $0 === $1 })
        list.show([references[3], references[0]], in: stage.environment)
        #expect(list.rows.count == 2 && list.rows[0] === before[3] && list.rows[1] === before[0])
        list.show([references[1]], in: stage.environment)
        #expect(list.rows.count == 1 && list.rows[0] !== before[1], "a row that was gone is a new one")
        #expect(list.frames(8, on: screen) { $0.tell() } == ["Film 2"])
    }

    @Test("A reference that is in the list twice has two rows.")
    func twice() async throws {
        let references = try await references(2)
        var list = list()
        list.show([references[0], references[1], references[0]], in: stage.environment)
        let before = list.rows
        #expect(before.count == 3 && before[0] !== before[2])
        list.show([references[0], references[0]], in: stage.environment)
        #expect(list.rows.count == 2 && list.rows[0] === before[0] && list.rows[1] === before[2])
    }
}
