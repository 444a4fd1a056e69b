import Baton

/// Hand-written operations in the form of generated code.
enum Films {
    /// `query Film($id: ID!) { film(id: $id) { id title rating ...FilmRow } }`; a rating is stale after a minute.
    struct FilmQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Film", kind: .query,
            text: "query Film($id: ID!) { film(id: $id) { id title rating favourite director { id name } } }",
            normalization: "(id){film(id:$id):+Film{id:ID! title:String! rating:Int@maxAge(60) favourite:Boolean "
                + "director:+Person{id:ID! name:String!}}}",
            reader: "(id){film(id:$id):+Film{id:ID! title:String! rating:Int ~FilmRow}}"
        )
        var variables: Variables
        init(variables: Variables) { self.variables = variables }
        init(id: String) { self.init(variables: Variables(id: id)) }

        struct Variables: GraphQLVariables {
            var id: String
            func encode(into encoder: inout GeneratedCode.VariableEncoder) { encoder.encode("id", id) }
        }

        struct Data: GeneratedCode.Selections {
            let film: Film?
            init?(_ reader: inout GeneratedCode.RecordReader) { film = reader.object(0, Film.self) }

            struct Film: GeneratedCode.Selections {
                let id: String
                let title: String
                let rating: Int?
                let row: FragmentReference<FilmRow>
                init?(_ reader: inout GeneratedCode.RecordReader) {
                    guard let id = reader.string(0), let title = reader.string(1) else { return nil }
                    self.id = id
                    self.title = title
                    rating = reader.int(2)
                    row = reader.fragment(3, FilmRow.self)
                }
            }
        }
    }

    /// `query Title($id: ID!) { film(id: $id) { id title } }`
    struct TitleQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Title", kind: .query, text: "query Title($id: ID!) { film(id: $id) { id title } }",
            normalization: "(id){film(id:$id):+Film{id:ID! title:String!}}",
            reader: "(id){film(id:$id):+Film{id:ID! title:String!}}"
        )
        var variables: FilmQuery.Variables
        init(variables: FilmQuery.Variables) { self.variables = variables }
        init(id: String) { self.init(variables: FilmQuery.Variables(id: id)) }

        struct Data: GeneratedCode.Selections {
            let film: Film?
            init?(_ reader: inout GeneratedCode.RecordReader) { film = reader.object(0, Film.self) }

            struct Film: GeneratedCode.Selections {
                let id: String
                let title: String
                init?(_ reader: inout GeneratedCode.RecordReader) {
                    guard let id = reader.string(0), let title = reader.string(1) else { return nil }
                    self.id = id
                    self.title = title
                }
            }
        }
    }

    /// `query List($first: Int) { films(first: $first) { id ...FilmRow } total }`
    struct ListQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "List", kind: .query,
            text: "query List($first: Int) { films(first: $first) { id title favourite director { id name } } total }",
            normalization: "(first){films(first:$first):[+Film]!{id:ID! title:String! favourite:Boolean "
                + "director:+Person{id:ID! name:String!}} total:Int}",
            reader: "(first){films(first:$first):[+Film]!{id:ID! ~FilmRow} total:Int}"
        )
        var variables: Variables
        init(variables: Variables = Variables()) { self.variables = variables }

        struct Variables: GraphQLVariables {
            var first: GraphQLNullable<Int> = .absent
            func encode(into encoder: inout GeneratedCode.VariableEncoder) { encoder.encode("first", first) }
        }

        struct Data: GeneratedCode.Selections {
            let films: [Film?]
            let total: Int?
            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let films = reader.list(0, { $0.object(Film.self) }) else { return nil }
                self.films = films
                total = reader.int(1)
            }

            struct Film: GeneratedCode.Selections {
                let id: String
                let row: FragmentReference<FilmRow>
                init?(_ reader: inout GeneratedCode.RecordReader) {
                    guard let id = reader.string(0) else { return nil }
                    self.id = id
                    row = reader.fragment(1, FilmRow.self)
                }
            }
        }
    }

    /// `fragment FilmRow on Film { title favourite director { name } }`
    struct FilmRow: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "FilmRow", typeCondition: "Film",
            reader: "{title:String! favourite:Boolean director:+Person{name:String!}}"
        )

        struct Data: GeneratedCode.Selections {
            let title: String
            let favourite: Bool?
            let director: Director?
            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let title = reader.string(0) else { return nil }
                self.title = title
                favourite = reader.bool(1)
                director = reader.object(2, Director.self)
            }

            struct Director: GeneratedCode.Selections {
                let name: String
                init?(_ reader: inout GeneratedCode.RecordReader) {
                    guard let name = reader.string(0) else { return nil }
                    self.name = name
                }
            }
        }
    }

    /// `query Count { total }` with a non-null `total`.
    struct CountQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Count", kind: .query, text: "query Count { total }", normalization: "{total:Int!}",
            reader: "{total:Int!}"
        )
        var variables: Variables
        init(variables: Variables = Variables()) { self.variables = variables }

        struct Variables: GraphQLVariables {
            func encode(into encoder: inout GeneratedCode.VariableEncoder) {}
        }

        struct Data: GeneratedCode.Selections {
            let total: Int
            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let total = reader.int(0) else { return nil }
                self.total = total
            }
        }
    }

    /// `mutation SetFavourite($id: ID!, $favourite: Boolean!) { setFavourite(...) { film { id favourite } } }`
    struct SetFavouriteMutation: GraphQLMutation {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "SetFavourite", kind: .mutation,
            text: "mutation SetFavourite($id: ID!, $favourite: Boolean!) { "
                + "setFavourite(id: $id, favourite: $favourite) { film { id favourite } } }",
            normalization: "(id,favourite){setFavourite(favourite:$favourite,id:$id):SetFavouritePayload"
                + "{film:+Film{id:ID! favourite:Boolean}}}",
            reader: "(id,favourite){setFavourite(favourite:$favourite,id:$id):SetFavouritePayload"
                + "{film:+Film{id:ID! favourite:Boolean}}}"
        )
        var variables: Variables

        struct Variables: GraphQLVariables {
            var id: String
            var favourite: Bool
            func encode(into encoder: inout GeneratedCode.VariableEncoder) {
                encoder.encode("id", id)
                encoder.encode("favourite", favourite)
            }
        }

        struct Data: GeneratedCode.Selections {
            let setFavourite: Payload?
            init?(_ reader: inout GeneratedCode.RecordReader) { setFavourite = reader.object(0, Payload.self) }

            struct Payload: GeneratedCode.Selections {
                let film: Film?
                init?(_ reader: inout GeneratedCode.RecordReader) { film = reader.object(0, Film.self) }
            }

            struct Film: GeneratedCode.Selections {
                let id: String
                let favourite: Bool?
                init?(_ reader: inout GeneratedCode.RecordReader) {
                    guard let id = reader.string(0) else { return nil }
                    self.id = id
                    favourite = reader.bool(1)
                }
            }
        }
    }

    /// The answer to a `FilmQuery`.
    static func film(_ id: String, _ title: String, rating: Int = 5) -> String {
        #"{"data":{"film":{"id":"\#(id)","title":"\#(title)","rating":\#(rating),"favourite":false,"#
            + #""director":{"id":"p1","name":"Irvin"}}}}"#
    }

    /// The answer to a `ListQuery`: films 1 to `count`, all by the same director.
    static func list(_ count: Int, favourites: Set<Int> = [], total: Int? = nil) -> String {
        let films = (1...count).map { number in
            #"{"id":"\#(number)","title":"Film \#(number)","favourite":\#(favourites.contains(number)),"#
                + #""director":{"id":"p1","name":"Irvin"}}"#
        }
        return #"{"data":{"films":[\#(films.joined(separator: ","))],"total":\#(total ?? count)}}"#
    }

    /// The answer to a `SetFavouriteMutation`.
    static func favourite(_ id: String, _ favourite: Bool) -> String {
        #"{"data":{"setFavourite":{"film":{"id":"\#(id)","favourite":\#(favourite)}}}}"#
    }
}

extension QueryHandle where Operation == Films.FilmQuery {
    func get(id: String, fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Films.FilmQuery.Data> {
        get(Films.FilmQuery.Variables(id: id), fetchKey: fetchKey)
    }
}

extension QueryHandle where Operation == Films.ListQuery {
    func get(fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Films.ListQuery.Data> {
        get(Films.ListQuery.Variables(), fetchKey: fetchKey)
    }
}

extension QueryHandle where Operation == Films.CountQuery {
    func get(fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Films.CountQuery.Data> {
        get(Films.CountQuery.Variables(), fetchKey: fetchKey)
    }
}
