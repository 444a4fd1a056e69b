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
        let user: User?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            user = reader.object(0, User.self)
        }

        struct User: GeneratedCode.Selections {
            let name: String?
            let email: String?
            let best: Friend?
            let friends: [Friend?]?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
                email = reader.string(1)
                best = reader.object(2, Friend.self)
                friends = reader.list(3) { $0.object(Friend.self) }
            }
        }

        struct Friend: GeneratedCode.Selections {
            let name: String?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
            }
        }
    }

    /// `{user{name @required best @required {name @required} email}}`.
    struct Strict: GeneratedCode.Selections {
        let user: User?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            user = reader.object(0, User.self)
        }

        struct User: GeneratedCode.Selections {
            let name: String
            let best: Best
            let email: String?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let name = reader.string(0) else { return nil }
                self.name = name
                guard let best = reader.object(1, Best.self) else { return nil }
                self.best = best
                email = reader.string(2)
            }
        }

        struct Best: GeneratedCode.Selections {
            let name: String

            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let name = reader.string(0) else { return nil }
                self.name = name
            }
        }

        static func plan(_ name: String, _ best: String, _ bestName: String) -> String {
            "{user:+User{name:String\(name) best:+User\(best){name:String\(bestName)} email:String}}"
        }
    }

    /// `{user{name email @catch best @catch {name} friends @catch {name}}}`, and a caught inline fragment.
    struct Caught: GeneratedCode.Selections {
        static let plan =
            "{user:+User{email:String@catch(RESULT) best:+User@catch(RESULT){name:String} friends:[+User]@catch(NULL){name:String} "
            + "<>@catch(RESULT){name:String!} name:String@catch(RESULT)}}"
        let user: User?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            user = reader.object(0, User.self)
        }

        struct User: GeneratedCode.Selections {
            let email: FieldResult<String?>
            let best: FieldResult<Data.Friend?>
            let friends: [Data.Friend?]?
            let named: FieldResult<Named?>
            let name: FieldResult<String>

            init?(_ reader: inout GeneratedCode.RecordReader) {
                email = reader.catching(0) { $0.string(0) }
                best = reader.catching(1) { $0.object(1, Data.Friend.self) }
                friends = reader.catchingToNull(2) { $0.list(2) { $0.object(Data.Friend.self) } }
                named = reader.catching(3) { $0.inlineFragment(3, Named.self) }
                name = reader.requiredCatching(4) { $0.string(4) }
            }
        }

        struct Named: GeneratedCode.Selections {
            let name: String

            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let name = reader.string(0) else { return nil }
                self.name = name
            }
        }
    }

    /// A fragment with `@throwOnFieldError`, and the query that spreads it.
    struct Card: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Card_user", typeCondition: "User",
            reader: "@throwOnFieldError{name:String email:String@catch(RESULT)}")

        struct Data: GeneratedCode.Selections {
            let name: String?
            let email: FieldResult<String?>

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
                email = reader.catching(1) { $0.string(1) }
            }
        }
    }

    struct CardQuery: GraphQLQuery {
        static let artifact = People.artifact("{user:+User{~Card_user name:String@required(LOG)}}", name: "CardQuery")

        var variables: Variables
        init(variables: Variables = Variables()) { self.variables = variables }

        struct Variables: GraphQLVariables {
            func encode(into encoder: inout GeneratedCode.VariableEncoder) {}
        }

        struct Data: GeneratedCode.Selections {
            let user: User?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                user = reader.object(0, User.self)
            }

            struct User: GeneratedCode.Selections {
                let card: FragmentReference<Card>
                let name: String?

                init?(_ reader: inout GeneratedCode.RecordReader) {
                    card = reader.fragment(0, Card.self)
                    name = reader.string(1)
                }
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
        -> Snapshot<Data>
    {
        let operation = bind(artifact, variables: .object([]))
        return read(type, at: operation.root, operation.reader)
    }
}
