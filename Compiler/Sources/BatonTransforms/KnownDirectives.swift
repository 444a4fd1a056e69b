import BatonSchema
import BatonSyntax

/// The treatment of the directives that servers need not know: those of the specification and Relay's.
///
/// This is the only table of these treatments; `Predeclared+RelayDirectives` declares the directives. A directive of a
/// document that is not in the table belongs to the server, and is sent if the server's schema declares it. A directive
/// with a refused name belongs to the server too, if the server's schema declares it.
package enum KnownDirectives {
    /// The treatment of a directive of documents.
    package static func fate(of name: String) -> DirectiveFate? { fates[name] }

    /// The treatment of a directive of schemas. A refusal concerns the documents that use the definition with the
    /// directive.
    package static func fateInSchemas(of name: String) -> DirectiveFate? { fatesInSchemas[name] }

    /// The names of all known directives of documents.
    package static var names: [String] { fates.keys.sorted() }

    /// The names of all known directives of schemas.
    package static var namesInSchemas: [String] { fatesInSchemas.keys.sorted() }

    private static let fates: [String: DirectiveFate] = [
        "DEPRECATED__relay_ignore_unused_variables_error": .carriedOut,
        "alias": .carriedOut,
        "appendEdge": .carriedOut,
        "appendNode": .carriedOut,
        "argumentDefinitions": .carriedOut,
        "arguments": .carriedOut,
        "assignable": .carriedOut,
        "catch": .carriedOut,
        "deleteEdge": .carriedOut,
        "deleteRecord": .carriedOut,
        "include": .carriedOut,
        "preloadable": .carriedOut,
        "prependEdge": .carriedOut,
        "prependNode": .carriedOut,
        "raw_response_type": .carriedOut,
        "refetchable": .carriedOut,
        "relay": .carriedOut,
        "required": .carriedOut,
        "skip": .carriedOut,
        "throwOnFieldError": .carriedOut,
        "uncheckedArguments_DEPRECATED": .carriedOut,
        "updatable": .carriedOut,

        "connection": .carriedOut,
        "defer": .carriedOut,
        "stream": .carriedOut,
        "stream_connection": .carriedOut,

        // These directives concern Relay's own tools and rules.
        "dangerously_unaliased_fixme": .needsNothing,
        "inline": .needsNothing,
        "no_inline": .needsNothing,
        "relay_test_operation": .needsNothing,

        "waterfall": .refused("fetch what the field leads to with a query of its own"),

        "as_actor": .refusedForGood("one environment acts for one user", advice: actors),
        "fb_actor_change": .refusedForGood("one environment acts for one user", advice: actors),
        "entrypoint": .refusedForGood(
            "Swift code is not loaded with the data", advice: "write '@preloadable' to ask for data early"),
        "relay_client_component": .refusedForGood(
            "no server renders the components of an app", advice: "spread the fragment without it"),
        "__clientField": .ignored(
            "it is internal to Relay's compiler", advice: "'@connection(handler:)' hands a field to a handler"),
        "__debug": .refusedForGood("it makes Relay's compiler print what it does", advice: "leave it out"),
        "client_polling": .refusedForGood("a query is never repeated by a timer of the store", advice: again),
        "exec_time_resolvers": .refusedForGood(
            "there is no execution of resolvers while a request runs", advice: "compute the fields in Swift"),
        "fb_owner": .refusedForGood("it names an owner for Meta's own tools", advice: "leave it out"),
        "live": .refusedForGood("a query has one answer", advice: "write a subscription"),
        "live_query": .refusedForGood("a query has one answer", advice: "write a subscription, or " + again),
        "match": .refusedForGood(
            "Swift code is not loaded with the data", advice: "spread the fragments of all types with '@alias'"),
        "module": .refusedForGood(
            "Swift code is not loaded with the data", advice: "spread the fragment without it, with '@alias'"),
    ]

    private static let fatesInSchemas: [String: DirectiveFate] = [
        "deprecated": .carriedOut,
        "fetchable": .carriedOut,
        "oneOf": .carriedOut,
        "semanticNonNull": .carriedOut,
        "semanticNonNullField": .carriedOut,
        "typePolicy": .carriedOut,

        "RelayOutputType": .needsNothing,
        "specifiedBy": .needsNothing,

        "__RelayResolverModel": .refused("select fields that a server knows, and make the model from them in Swift"),
        "relay_resolver": .refused("compute it in Swift"),
        "static": .refusedForGood(
            "it concerns arguments that resolvers get while code is generated", advice: "leave the argument out"),
    ]

    /// The arguments that have no effect if they are true: directive, argument, and reason.
    static let ignoredArguments: [String: (argument: String, reason: String)] = [
        "preloadable": ("hackPreloader", "there is no code in Hack")
    ]

    private static let actors = "fetch with an environment for each user"
    private static let again = "ask again with another fetch key"

}

extension Schema {
    /// Whether a directive is sent: the server's schema declares the directive, and the compiler does not implement it.
    /// `@defer` and `@stream` are sent even if the schema does not declare them.
    package func sends(_ directive: Directive) -> Bool {
        let name = directive.name.text
        if name == "defer" || name == "stream" { return true }
        return fate(of: name) == nil && self.directive(named: name)?.origin == .schema
    }

    /// The treatment of a directive of documents; nil if the directive belongs to the server. A directive that the
    /// compiler refuses or ignores belongs to the server if the server's schema declares its name, such as `@live`.
    func fate(of name: String) -> DirectiveFate? {
        let fate = KnownDirectives.fate(of: name)
        guard directive(named: name)?.origin == .schema else { return fate }
        switch fate {
        case .refused, .refusedForGood, .ignored: return nil
        case .carriedOut, .needsNothing, .refusedArguments, nil: return fate
        }
    }

    /// Whether the server's schema declares a directive of its own for definitions.
    func declares(_ name: String) -> Bool {
        (definitionDirectives[name] ?? directive(named: name))?.origin == .schema
    }
}
