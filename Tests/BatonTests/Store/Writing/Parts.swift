// swift-format-ignore-file: AlwaysUseLowerCamelCase

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

        struct Variables: GeneratedCode.Variables, Hashable {
            var __fields: GeneratedCode.InputFields { .none }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: User? { __row.optionalObject(0) }
            var tags: [Int?]? { __row.optionalList(1) { $0.optionalInt() } }
            var later: Later? { __row.inlineFragment(2) }
        }

        struct Later: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var profile: Profile? { __row.optionalObject(0) }
            var b: Int? { profile?.b }
        }

        struct Profile: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var b: Int? { __row.optionalInt(0) }
        }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var friends: ObjectList<Friend?>? { __row.optionalObjects(1) }
            var slow: FragmentReference<Slow> { __row.fragment(2) }
        }

        struct Friend: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var row: FragmentReference<Row> { __row.fragment(1) }
        }
    }

    struct Slow: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Slow_user", typeCondition: "User", reader: "{email:String@catch(RESULT) best:+User{name:String}}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var email: FieldResult<String?> { __row.result(0) { $0.optionalString(0) } }
            var best: Best? { __row.optionalObject(1) }
        }

        struct Best: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
        }
    }

    struct Row: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Row_user", typeCondition: "User", reader: "{email:String!}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var email: String { __row.string(0) }
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
