import Baton
import Films

@MainActor final class FilmScreen {
    private let handle: QueryHandle<FilmQuery>
    private(set) var lines: [String] = ["loading"]

    init(film: String, in environment: RelayEnvironment) {
        handle = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        show(handle.get(id: film))
        handle.observe(on: MainActor.shared) { [weak self] result in
            self?.show(result)
        }
    }

    func refresh() {
        let fetch = handle.refetch()
        Task { @MainActor [weak self] in
            do throws(RelayError) {
                try await fetch.finished()
                self?.showCurrent()
            } catch {
                self?.ended(error)
            }
        }
    }

    private func showCurrent() { show(handle.result) }

    private func ended(_ error: RelayError) {
        if error.kind == .cancelled {
            showCurrent()
        } else {
            lines = ["failed"]
        }
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            if let data = handle.previousData {
                lines = text(of: data)
            } else {
                lines = ["loading"]
            }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            lines = text(of: data)
        }
    }

    private func text(of data: FilmQuery.Data?) -> [String] {
        guard let film = data?.film else {
            return handle.errors.isEmpty ? ["no film"] : ["failed"]
        }
        return [film.title, film.year.map { "\($0)" } ?? "?"]
    }
}
