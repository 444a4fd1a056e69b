/// The files of a small project.
enum Library {
    static let configuration = #"{"schema": ["schema.graphql"], "documents": ["documents"], "output": "Generated"}"#

    static let schema = """
        interface Node {
          id: ID!
        }
        "A book, or a film that was made of it."
        union Work = Book | Film
        enum Genre {
          NOVEL
          POEM @deprecated(reason: "read more")
        }
        input BookFilter {
          genre: Genre
          title: String!
          inner: BookFilter
        }
        type Book implements Node {
          id: ID!
          "What is on its spine."
          title(upper: Boolean): String
          isbn: String @deprecated(reason: "use id")
          genre: Genre
          author: Person
          reviews(first: Int!, after: String): [Review!]!
        }
        type Film implements Node {
          id: ID!
          title: String
        }
        type Person implements Node {
          id: ID!
          name: String!
          books: [Book!]
        }
        type Review {
          text: String
          stars: Int
        }
        type Query {
          book(id: ID!): Book
          books(filter: BookFilter, genre: Genre): [Book!]!
          work(id: ID!): Work
          node(id: ID!): Node
        }

        """

    static let row = """
        fragment BookRow_book on Book @argumentDefinitions(big: {type: "Boolean", defaultValue: false}) {
          title(upper: $big)
          genre
        }

        """

    static let author = """
        fragment Author_person on Person {
          name
        }

        """

    static let list = """
        query BookListQuery($genre: Genre) {
          books(genre: $genre) {
            id
            ...BookRow_book @arguments(big: true)
            author {
              ...Author_person
            }
          }
        }

        """

    static let files = [
        "baton.json": configuration, "schema.graphql": schema, "documents/BookRow.graphql": row,
        "documents/Author.graphql": author, "documents/BookList.graphql": list,
    ]

    static func with(_ name: String, _ text: String) -> [String: String] {
        files.merging([name: text]) { $1 }
    }
}
