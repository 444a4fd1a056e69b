extension Predeclared {
    /// Relay's directives that the compiler refuses, so that their arguments need no check.
    ///
    /// `KnownDirectives` has the reasons, and a test compares the two.
    package static let refused: Set<String> = [
        "__RelayResolverModel", "__debug", "as_actor", "client_polling", "entrypoint",
        "exec_time_resolvers", "fb_actor_change", "fb_owner", "live", "live_query", "match", "module",
        "relay_client_component", "relay_resolver", "static", "waterfall",
    ]

    /// The directives that Relay applications use without a declaration, the directives of incremental delivery, and
    /// Apollo's directives for the identity of objects.
    static let relay = document(
        """
        directive @alias(as: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION
        directive @appendEdge(connections: [ID!]!) on FIELD
        directive @appendNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
        directive @argumentDefinitions on FRAGMENT_DEFINITION
        directive @arguments on FRAGMENT_SPREAD
        directive @as_actor on FRAGMENT_SPREAD | FIELD | QUERY | MUTATION | SUBSCRIPTION
        directive @assignable on FRAGMENT_DEFINITION
        directive @catch(to: CatchFieldTo = RESULT)
          on FIELD | QUERY | MUTATION | FRAGMENT_DEFINITION | INLINE_FRAGMENT
        directive @client_polling(interval: Int!) on QUERY
        directive @connection(
          key: String!
          filters: [String]
          handler: String
          dynamicKey_UNSTABLE: String
          prefetchable_pagination: Boolean
        ) on FIELD
        directive @dangerously_unaliased_fixme on FRAGMENT_SPREAD
        directive @__clientField(
          key: String
          handle: String
          filters: [String!]
          dynamicKey_UNSTABLE: String
        ) repeatable on FIELD
        directive @__debug on FIELD | QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
        directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @deleteEdge(connections: [ID!]!) on FIELD
        directive @deleteRecord on FIELD
        directive @entrypoint on QUERY | FRAGMENT_SPREAD | FIELD
        directive @exec_time_resolvers(enabledProvider: String) on QUERY
        directive @DEPRECATED__relay_ignore_unused_variables_error on QUERY | MUTATION | SUBSCRIPTION
        directive @fb_actor_change on FIELD
        directive @fb_owner on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
        directive @fetchable(field_name: String!) on OBJECT
        directive @inline on FRAGMENT_DEFINITION
        directive @live on QUERY
        directive @live_query(polling_interval: Int, config_id: String) on QUERY
        directive @match(key: String) on FIELD
        directive @module(name: String!) on FRAGMENT_SPREAD
        directive @no_inline(raw_response_type: Boolean) on FRAGMENT_DEFINITION
        directive @preloadable(hackPreloader: Boolean) on QUERY
        directive @prependEdge(connections: [ID!]!) on FIELD
        directive @prependNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
        directive @raw_response_type on QUERY | MUTATION | SUBSCRIPTION
        directive @refetchable(queryName: String, directives: [String!], preferFetchable: Boolean)
          on FRAGMENT_DEFINITION
        directive @relay(plural: Boolean, mask: Boolean) on FRAGMENT_DEFINITION | FRAGMENT_SPREAD
        directive @relay_client_component on FRAGMENT_SPREAD
        directive @relay_resolver on FIELD_DEFINITION
        directive @__RelayResolverModel on OBJECT | INTERFACE
        directive @RelayOutputType on OBJECT
        directive @relay_test_operation(
          DO_NOT_USE_use_in_production: Boolean = false
          emitRawText: Boolean = false
        ) on QUERY | MUTATION | SUBSCRIPTION
        directive @required(action: RequiredFieldAction!) on FIELD
        directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION
        directive @semanticNonNullField(name: String!, levels: [Int!]! = [0]) repeatable on OBJECT | INTERFACE
        directive @static on ARGUMENT_DEFINITION
        directive @stream(
          label: String
          if: Boolean! = true
          initialCount: Int = 0
          initial_count: Int
          useCustomizedBatch: Boolean
          use_customized_batch: Boolean
        ) on FIELD
        directive @stream_connection(
          key: String!
          filters: [String]
          handler: String
          label: String
          initialCount: Int
          initial_count: Int!
          if: Boolean = true
          useCustomizedBatch: Boolean
          use_customized_batch: Boolean = false
          dynamicKey_UNSTABLE: String
          prefetchable_pagination: Boolean
        ) on FIELD
        directive @throwOnFieldError on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
        directive @typePolicy(keyFields: String, connectionFields: String, embeddedFields: String) on OBJECT | INTERFACE
        directive @uncheckedArguments_DEPRECATED on FRAGMENT_SPREAD
        directive @updatable on QUERY | FRAGMENT_DEFINITION
        directive @waterfall on FIELD
        enum CatchFieldTo { NULL RESULT }
        scalar RelayResolverValue
        enum RequiredFieldAction { NONE LOG THROW DANGEROUSLY_THROW_ON_SEMANTICALLY_NULLABLE_FIELD }
        """
    )
}
