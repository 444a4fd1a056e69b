import BatonSchema
import BatonSyntax

/// The treatment of a directive that the compiler knows.
package enum DirectiveFate: Sendable {
    /// The compiler implements the directive.
    case carriedOut
    /// The directive has no effect on what the compiler does.
    case needsNothing
    /// The directive is not supported yet; the text proposes an alternative, if there is one.
    case refused(String?)
    /// The directive is not supported yet if an argument has the given value, or any value without one; otherwise it is
    /// implemented.
    case refusedArguments([(name: String, value: Bool?, advice: String)])
}

/// The treatment of the directives that documents may use and servers need not know: those of the specification and
/// Relay's.
///
/// This is the only table. A directive that is not in it belongs to the server, and is sent if the server's schema
/// declares it.
package enum KnownDirectives {
    package static func fate(of name: String) -> DirectiveFate? { fates[name] }

    /// The names of all known directives.
    package static var names: [String] { fates.keys.sorted() }

    private static let fates: [String: DirectiveFate] = [
        "alias": .carriedOut,
        "argumentDefinitions": .carriedOut,
        "arguments": .carriedOut,
        "catch": .carriedOut,
        "include": .carriedOut,
        "refetchable": .carriedOut,
        "relay": .carriedOut,
        "required": .carriedOut,
        "skip": .carriedOut,
        "throwOnFieldError": .carriedOut,
        "uncheckedArguments_DEPRECATED": .carriedOut,

        "connection": .refusedArguments([
            ("dynamicKey_UNSTABLE", nil, "leave it out, and use a filter"),
            ("prefetchable_pagination", true, "leave it out; a page is fetched ahead by the handle"),
        ]),

        // These directives concern Relay's own tools and rules.
        "DEPRECATED__relay_ignore_unused_variables_error": .needsNothing,
        "dangerously_unaliased_fixme": .needsNothing,
        "fb_owner": .needsNothing,
        "inline": .needsNothing,
        "no_inline": .needsNothing,
        "preloadable": .needsNothing,
        "raw_response_type": .needsNothing,
        "relay_test_operation": .needsNothing,

        "__clientField": .refused(nil),
        "__debug": .refused(nil),
        "appendEdge": .refused(updater),
        "appendNode": .refused(updater),
        "assignable": .refused(updater),
        "client_polling": .refused("leave it out, and ask again with another fetch key"),
        "defer": .refused(whole),
        "deleteEdge": .refused(updater),
        "deleteRecord": .refused(updater),
        "exec_time_resolvers": .refused(nil),
        "live": .refused("write a subscription"),
        "live_query": .refused("write a subscription"),
        "match": .refused(nil),
        "module": .refused(nil),
        "prependEdge": .refused(updater),
        "prependNode": .refused(updater),
        "stream": .refused(whole),
        "stream_connection": .refused(whole),
        "updatable": .refused(updater),
        "waterfall": .refused(nil),
    ]

    private static let updater = "leave it out, and change the store in an updater"
    private static let whole = "leave it out; the answer comes as a whole"
}

extension Schema {
    /// Whether a directive is sent: the server's schema declares it, and the compiler does not know it.
    package func sends(_ directive: Directive) -> Bool {
        let name = directive.name.text
        return KnownDirectives.fate(of: name) == nil && self.directive(named: name)?.origin == .schema
    }
}
