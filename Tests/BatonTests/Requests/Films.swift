// swift-format-ignore-file: AlwaysUseLowerCamelCase

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

        struct Variables: GeneratedCode.Variables, Hashable {
            var id: String
            var __fields: GeneratedCode.InputFields { .init("id") { $0.addString(id) } }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var film: Film? { __row.optionalObject(0) }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var title: String { __row.string(1) }
                var rating: Int? { __row.optionalInt(2) }
                var row: FragmentReference<FilmRow> { __row.fragment(3) }
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
            let __row: GeneratedCode.Row
            var film: Film? { __row.optionalObject(0) }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var title: String { __row.string(1) }
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

        struct Variables: GeneratedCode.Variables, Hashable {
            var first: GraphQLNullable<Int> = .absent
            var __fields: GeneratedCode.InputFields { .init("first") { $0.addInt(first.input) } }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var films: ObjectList<Film?> { __row.objects(0) }
            var total: Int? { __row.optionalInt(1) }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var row: FragmentReference<FilmRow> { __row.fragment(1) }
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
            let __row: GeneratedCode.Row
            var title: String { __row.string(0) }
            var favourite: Bool? { __row.optionalBool(1) }
            var director: Director? { __row.optionalObject(2) }

            struct Director: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var name: String { __row.string(0) }
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

        struct Variables: GeneratedCode.Variables, Hashable {
            var __fields: GeneratedCode.InputFields { .none }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var total: Int { __row.int(0) }
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

        struct Variables: GeneratedCode.Variables, Hashable {
            var id: String
            var favourite: Bool
            var __fields: GeneratedCode.InputFields {
                .init("id favourite") {
                    $0.addString(id)
                    $0.addBool(favourite)
                }
            }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var setFavourite: Payload? { __row.optionalObject(0) }

            struct Payload: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var film: Film? { __row.optionalObject(0) }
            }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var favourite: Bool? { __row.optionalBool(1) }
            }
        }
    }

    /// The response to a `FilmQuery`.
    static func film(_ id: String, _ title: String, rating: Int = 5) -> String {
        #"{"data":{"film":{"id":"\#(id)","title":"\#(title)","rating":\#(rating),"favourite":false,"#
            + #""director":{"id":"p1","name":"Irvin"}}}}"#
    }

    /// The response to a `ListQuery`: films 1 to `count`, all by the same director.
    static func list(_ count: Int, favourites: Set<Int> = [], total: Int? = nil) -> String {
        let films = (1...count).map { number in
            #"{"id":"\#(number)","title":"Film \#(number)","favourite":\#(favourites.contains(number)),"#
                + #""director":{"id":"p1","name":"Irvin"}}"#
        }
        return #"{"data":{"films":[\#(films.joined(separator: ","))],"total":\#(total ?? count)}}"#
    }

    /// The response to a `SetFavouriteMutation`.
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
