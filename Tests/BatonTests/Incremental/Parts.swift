@testable import Baton

/// A hand-written query with deferred fragments, one of them inside a streamed list, and with streamed lists of objects
/// and of numbers.
enum Parts {
    static let normalization =
        "{user:+User{id:ID! name:String friends:[+User]@stream(\"Q$stream$friends\",1){id:ID! name:String <>@defer(\"Q$defer$Row\"){email:String}} "
        + "<User>@defer(\"Q$defer$Slow\"){email:String best:+User{id:ID! name:String}}} tags:[Int]@stream(\"Q$stream$tags\") "
        + "profile:Profile{a:Int} <>@defer(\"Q$defer$Profile\"){profile:Profile{b:Int inner:Inner{c:Int}}}}"

    struct PartsQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "PartsQuery", kind: .query, text: "query PartsQuery { }", normalization: normalization,
            reader: "{user:+User{name:String friends:[+User]{name:String ~Row_user} ~Slow_user} tags:[Int] "
                + "<>@defer(\"Q$defer$Profile\"){profile:Profile{b:Int}}}")

        var variables: Variables
        init(variables: Variables = Variables()) { self.variables = variables }

        struct Variables: GraphQLVariables {
            func encode(into encoder: inout GeneratedCode.VariableEncoder) {}
        }

        struct Data: GeneratedCode.Selections {
            let user: User?
            let tags: [Int?]?
            let later: Later?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                user = reader.object(0, User.self)
                tags = reader.list(1) { $0.int() }
                later = reader.inlineFragment(2, Later.self)
            }
        }

        struct Later: GeneratedCode.Selections {
            let b: Int?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let profile = reader.object(0, Profile.self) else { return nil }
                b = profile.b
            }
        }

        struct Profile: GeneratedCode.Selections {
            let b: Int?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                b = reader.int(0)
            }
        }

        struct User: GeneratedCode.Selections {
            let name: String?
            let friends: [Friend?]?
            let slow: FragmentReference<Slow>

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
                friends = reader.list(1) { $0.object(Friend.self) }
                slow = reader.fragment(2, Slow.self)
            }
        }

        struct Friend: GeneratedCode.Selections {
            let name: String?
            let row: FragmentReference<Row>

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
                row = reader.fragment(1, Row.self)
            }
        }
    }

    struct Slow: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Slow_user", typeCondition: "User", reader: "{email:String@catch(RESULT) best:+User{name:String}}")

        struct Data: GeneratedCode.Selections {
            let email: FieldResult<String?>
            let best: Best?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                email = reader.catching(0) { $0.string(0) }
                best = reader.object(1, Best.self)
            }
        }

        struct Best: GeneratedCode.Selections {
            let name: String?

            init?(_ reader: inout GeneratedCode.RecordReader) {
                name = reader.string(0)
            }
        }
    }

    struct Row: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Row_user", typeCondition: "User", reader: "{email:String!}")

        struct Data: GeneratedCode.Selections {
            let email: String

            init?(_ reader: inout GeneratedCode.RecordReader) {
                guard let email = reader.string(0) else { return nil }
                self.email = email
            }
        }
    }

    static let first =
        #"{"data":{"user":{"id":"1","name":"Ann","friends":[{"id":"2","name":"Bob"}]},"tags":[1],"profile":{"a":1}},"hasNext":true}"#
    static let slow =
        #"{"label":"Q$defer$Slow","path":["user"],"data":{"email":"a@x","best":{"id":"9","name":"Zoe"}},"hasNext":true}"#
}

/// A network whose answers come in parts, which the test gives one by one.
final class PartsNetwork: NetworkLayer {
    typealias Continuation = AsyncThrowingStream<NetworkResponse, any Error>.Continuation
    private let open = Guarded<[Continuation]>([])

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { continuation in open.withLock { $0.append(continuation) } }
    }

    /// The number of sent requests.
    var sent: Int { open.withLock { $0.count } }

    /// Gives a payload to the newest request.
    func give(_ json: String, hasNext: Bool = true) {
        let continuation = open.withLock { $0.last }
        continuation?.yield(NetworkResponse(body: Array(json.utf8), hasNext: hasNext))
        if !hasNext { continuation?.finish() }
    }

    func end(_ error: (any Error)? = nil) { open.withLock { $0.last }?.finish(throwing: error) }
}
