import Baton

/// The service of `EffectsModel`: films that change, the lists of `TodoService`, and a list in pages.
struct EffectsService {
    /// What a record has of a film; a field that was not fetched is nil.
    struct Film: Equatable {
        var title: String?
        var favourite: Bool?
    }

    static let ids = ["1", "2", "3", "4"]
    /// The number of items of the list in pages.
    static let itemCount = 7
    var films: [String: Film] = [:]
    let todos = TodoService(["a": 7])

    init() {
        for id in Self.ids { films[id] = Film(title: "Film \(id)", favourite: false) }
    }

    /// Returns the response to a request as the service is now, and what it writes.
    func answer(_ request: NetworkRequest) -> (json: String, written: [String: Film]) {
        let id = request.text("id") ?? ""
        switch request.operationName {
        case "Film":
            let film = film(id, with: #","title":"\#(title(id))","rating":5,"#)
            return (#"{"data":{"film":\#(film)}}"#, only([id]))
        case "Title":
            guard let title = films[id]?.title else { return (#"{"data":{"film":null}}"#, [:]) }
            return (
                #"{"data":{"film":{"id":"\#(id)","title":"\#(title)"}}}"#, [id: Film(title: title, favourite: nil)]
            )
        case "List":
            let ids = Self.ids.prefix(request.number("first") ?? 4).filter { films[$0] != nil }
            let list = ids.map { film($0, with: #","title":"\#(title($0))","#) }
            return (#"{"data":{"films":[\#(list.joined(separator: ","))],"total":\#(ids.count)}}"#, only(ids))
        case "SetFavourite":
            return (
                Films.favourite(id, films[id]?.favourite ?? false),
                [id: Film(title: nil, favourite: films[id]?.favourite ?? false)]
            )
        case "Offset":
            let offset = request.number("offset") ?? 0
            let end = min(offset + (request.number("limit") ?? 0), Self.itemCount)
            let items = (offset..<max(offset, end)).map { #"{"id":"o\#($0)","text":"item \#($0)"}"# }
            return (#"{"data":{"items":[\#(items.joined(separator: ","))]}}"#, [:])
        default: return (todos.answer(request), [:])
        }
    }

    private func title(_ id: String) -> String { films[id]?.title ?? "" }

    private func film(_ id: String, with fields: String) -> String {
        guard let film = films[id] else { return "null" }
        return #"{"id":"\#(id)"\#(fields)"favourite":\#(film.favourite ?? false),"#
            + #""director":{"id":"p1","name":"Irvin"}}"#
    }

    private func only(_ ids: [String]) -> [String: Film] { films.filter { ids.contains($0.key) } }
}
