import Testing

@testable import Baton

/// The examples of the guide "Changing the store", word for word.
@Suite struct ChangingTheStoreTests {
    private struct NoNetwork: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
    }

    @Test func theExamplesDoWhatTheySay() throws {
        let environment = RelayEnvironment(network: NoNetwork())
        let films = { (store: RecordSourceProxy) in
            ["film-4", "film-5"].compactMap { store.get(DataID($0)) }
        }
        try environment.update { store in
            for id in ["film-4", "film-5"] { try store.create(DataID(id), type: "Film") }
            let user = try store.create("user-1", type: "User")
            try user.setLinkedRecords([], forField: "favorites", arguments: ["order": "NAME"])
            try user.setLinkedRecords(films(store), forField: "favorites", arguments: ["order": "YEAR"])
            let filters: [[String: JSONValue]] = [[:], ["seen": true]]
            for (index, filters) in filters.enumerated() {
                let connection = try store.create(DataID("connection-\(index)"), type: "FilmsConnection")
                try connection.setLinkedRecords([], forField: "edges")
                try store.root.setLinkedRecord(
                    connection, forField: "__FilmList_films_connection", arguments: filters)
                guard index == 0 else { continue }
                try store.connection("connection-0")?.append(node: films(store)[1])
            }
        }
        try environment.update { store in
            guard let film = store.get("film-4"), let user = store.get("user-1") else { return }
            try user.append(film, toList: "favorites", arguments: ["order": "NAME"])
            try user.prepend(film, toEveryList: "favorites")
            for favorites in user.fields("favorites") where favorites.arguments["order"] == "YEAR" {
                try favorites.remove(film)
            }
        }
        try environment.update { store in
            guard let film = store.get("film-4") else { return }
            let done = store.connection(on: store.root, key: "FilmList_films", filters: ["seen": true])
            try done?.append(node: film, edgeType: "FilmsEdge")
            for films in store.connections(on: store.root, key: "FilmList_films") {
                try films.deleteNode("film-5")
                try films.insertEdge(films.createEdge(node: film), after: films.startCursor)
            }
        }
        try environment.update { store in
            let lists = store.get("user-1")?.fields("favorites").map { $0.linkedRecords?.map { $0?.dataID } }
            #expect(lists == [["film-4"], ["film-5"]])
            let connections = store.connections(key: "FilmList_films").map { $0.nodes.map { $0?.dataID } }
            #expect(connections == [["film-4"], ["film-4"]])
            #expect(store.connection("connection-0")?.edges.first??.typename == "FilmsEdge")
        }
        try environment.update { store in
            try store.delete("film-4", removingReferences: true)
        }
        try environment.update { store in
            #expect(store.connections(key: "FilmList_films").allSatisfy { $0.count == 0 })
            #expect(store.get("user-1")?.linkedRecords(forField: "favorites", arguments: ["order": "NAME"]) == [])
        }
    }
}
