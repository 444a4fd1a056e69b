// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// Hand-written operations on people, in the form of generated code. Their reader plans carry marks.
enum People {
    static let normalization =
        "{user:+User{id:ID! name:String email:String best:+User{id:ID! name:String email:String} friends:[+User]{id:ID! name:String email:String}}}"

    static func artifact(_ reader: String, name: String = "PersonQuery") -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(
            name: name, kind: .query, text: "query \(name) { }", normalization: normalization, reader: reader)
    }

    static func answer(_ user: String, errors: String? = nil) -> String {
        let errors = errors.map { #","errors":[\#($0)]"# } ?? ""
        return #"{"data":{"user":\#(user)}\#(errors)}"#
    }

    static func error(_ message: String, _ path: String) -> String {
        #"{"message":"\#(message)","path":[\#(path)]}"#
    }

    /// `{user{name email best{name} friends{name}}}`, with any marks on the fields.
    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var user: User? { __row.optionalObject(0) }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var email: String? { __row.optionalString(1) }
            var best: Friend? { __row.optionalObject(2) }
            var friends: ObjectList<Friend?>? { __row.optionalObjects(3) }
        }

        struct Friend: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
        }
    }

    /// `{user{name @required best @required {name @required} email}}`. A field without a mark is non-null.
    struct Strict: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var user: User? { __row.optionalObject(0) }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String { __row.string(0) }
            var best: Best { __row.object(1) }
            var email: String? { __row.optionalString(2) }
        }

        struct Best: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String { __row.string(0) }
        }

        static func plan(_ name: String, _ best: String, _ bestName: String) -> String {
            "{user:+User{name:String\(mark(name)) best:+User\(mark(best)){name:String\(mark(bestName))} email:String}}"
        }

        /// A property that is not optional has a required field or a non-null one.
        private static func mark(_ mark: String) -> String { mark.isEmpty ? "!" : mark }
    }

    /// `{user{name email @catch best @catch {name} friends @catch {name}}}`, a caught inline fragment, and a non-null
    /// field.
    struct Caught: GeneratedCode.Selections {
        static let plan =
            "{user:+User{email:String@catch(RESULT) best:+User@catch(RESULT){name:String} friends:[+User]@catch(NULL){name:String} "
            + "<>@catch(RESULT){name:String!} name:String!@catch(RESULT)}}"
        let __row: GeneratedCode.Row
        var user: User? { __row.optionalObject(0) }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var email: FieldResult<String?> { __row.result(0) { $0.optionalString(0) } }
            var best: FieldResult<Data.Friend?> { __row.result(1) { $0.optionalObject(1) } }
            var friends: ObjectList<Data.Friend?>? { __row.unlessCaught(2) { $0.optionalObjects(2) } }
            var named: FieldResult<Named?> { __row.result(3) { $0.inlineFragment(3) } }
            var name: FieldResult<String> { __row.result(4) { $0.string(4) } }
        }

        struct Named: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String { __row.string(0) }
        }
    }

    /// A fragment with `@throwOnFieldError`, and the query that spreads it.
    struct Card: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Card_user", typeCondition: "User",
            reader: "@throwOnFieldError{name:String email:String@catch(RESULT)}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var email: FieldResult<String?> { __row.result(1) { $0.optionalString(1) } }
        }
    }

    struct CardQuery: GraphQLQuery {
        static let artifact = People.artifact("{user:+User{~Card_user name:String@required(LOG)}}", name: "CardQuery")

        var variables: Variables
        init(variables: Variables = Variables()) { self.variables = variables }

        struct Variables: GeneratedCode.Variables, Hashable {
            var __fields: GeneratedCode.InputFields { .none }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: User? { __row.optionalObject(0) }

            struct User: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var card: FragmentReference<Card> { __row.fragment(0) }
                var name: String { __row.string(1) }
            }
        }
    }

    /// A query that spreads the fragment, and requires nothing itself.
    struct OpenCardQuery: GraphQLQuery {
        static let artifact = People.artifact("{user:+User{~Card_user name:String}}", name: "OpenCardQuery")

        var variables: CardQuery.Variables
        init(variables: CardQuery.Variables = .init()) { self.variables = variables }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: User? { __row.optionalObject(0) }

            struct User: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var card: FragmentReference<Card> { __row.fragment(0) }
                var name: String? { __row.optionalString(1) }
            }
        }
    }

    /// A fragment that catches all its errors, and the query that spreads it.
    struct CaughtCard: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "CaughtCard_user", typeCondition: "User", reader: "@catch(RESULT){name:String}")
        typealias Data = People.Data.Friend
    }

    struct CaughtCardQuery: GraphQLQuery {
        static let artifact = People.artifact("{user:+User{~CaughtCard_user}}", name: "CaughtCardQuery")

        var variables: CardQuery.Variables
        init(variables: CardQuery.Variables = .init()) { self.variables = variables }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: User? { __row.optionalObject(0) }

            struct User: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var card: FragmentReference<CaughtCard> { __row.fragment(0) }
            }
        }
    }

    /// The fields of `Data`, with every error failing the read.
    struct ThrowingQuery: GraphQLQuery {
        static let artifact = People.artifact(
            "@throwOnFieldError{user:+User{name:String email:String best:+User{name:String} friends:[+User]{name:String}}}",
            name: "ThrowingQuery")

        var variables: CardQuery.Variables
        init(variables: CardQuery.Variables = .init()) { self.variables = variables }
        typealias Data = People.Data
    }
}

extension Store {
    func read<Data: GeneratedCode.Selections>(_ type: Data.Type, _ artifact: GeneratedCode.OperationArtifact)
        -> ReadResult<Data>
    {
        let operation = bind(artifact, variables: .object([]))
        return read(type, at: operation.root, operation.reader)
    }
}
