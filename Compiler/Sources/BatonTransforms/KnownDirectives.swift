import BatonSchema
import BatonSyntax

/// What becomes of a directive that has a meaning for the compiler.
package enum DirectiveFate: Sendable {
    /// The compiler does what it says.
    case carriedOut
    /// It asks for nothing that is not so without it.
    case needsNothing
    /// What it asks for cannot be done yet; with what to do instead, if there is anything.
    case refused(String?)
    /// It asks for nothing but where an argument has a value that asks for what cannot be done yet.
    case refusedArguments([(name: String, value: Bool, advice: String)])
}

/// The fate of every directive that documents can have and that no server needs to know: those of the specification,
/// and Relay's.
///
/// This is the one table: a directive that is not in it is the server's, and is sent if the server declares it.
package enum KnownDirectives {
    package static func fate(of name: String) -> DirectiveFate? { fates[name] }

    /// All that are known.
    package static var names: [String] { fates.keys.sorted() }

    private static let fates: [String: DirectiveFate] = [
        "include": .carriedOut,
        "skip": .carriedOut,

        // What they ask for concerns Relay's own tools and rules.
        "DEPRECATED__relay_ignore_unused_variables_error": .needsNothing,
        "dangerously_unaliased_fixme": .needsNothing,
        "fb_owner": .needsNothing,
        "no_inline": .needsNothing,
        "preloadable": .needsNothing,
        "raw_response_type": .needsNothing,
        "relay_test_operation": .needsNothing,

        "relay": .refusedArguments([
            ("mask", false, "select the fields of the fragment here"),
            ("plural", true, "leave it out; a component takes an array of references"),
        ]),

        "__clientField": .refused(nil),
        "__debug": .refused(nil),
        "alias": .refused("leave it out; what is generated is named after the fragment or type"),
        "appendEdge": .refused(updater),
        "appendNode": .refused(updater),
        "argumentDefinitions": .refused(variables),
        "arguments": .refused(variables),
        "assignable": .refused(updater),
        "catch": .refused("leave it out, and look at the errors of the handle or response"),
        "client_polling": .refused("leave it out, and ask again with another fetch key"),
        "connection": .refused("leave it out, and fetch each page with variables of its own"),
        "defer": .refused(whole),
        "deleteEdge": .refused(updater),
        "deleteRecord": .refused(updater),
        "exec_time_resolvers": .refused(nil),
        "inline": .refused("leave it out; 'environment.read(_:)' reads a fragment anywhere"),
        "live": .refused("write a subscription"),
        "live_query": .refused("write a subscription"),
        "match": .refused(nil),
        "module": .refused(nil),
        "prependEdge": .refused(updater),
        "prependNode": .refused(updater),
        "refetchable": .refused("leave it out, and write the query that fetches the fragment again"),
        "required": .refused("leave it out, and look in Swift whether the value is there"),
        "stream": .refused(whole),
        "stream_connection": .refused(whole),
        "throwOnFieldError": .refused("leave it out, and look at the errors of the handle or response"),
        "updatable": .refused(updater),
        "waterfall": .refused(nil),
    ]

    private static let updater = "leave it out, and change the store in an updater"
    private static let variables = "leave it out, and use variables of the operation in the fragment"
    private static let whole = "leave it out; the answer comes as a whole"
}

extension Schema {
    /// Whether a directive belongs into what is sent: the server declares it, and it is none that the compiler knows.
    package func sends(_ directive: Directive) -> Bool {
        let name = directive.name.text
        return KnownDirectives.fate(of: name) == nil && self.directive(named: name)?.origin == .schema
    }
}
