/// A mutation, which `RelayEnvironment.commit` executes.
public protocol GraphQLMutation: GraphQLOperation {}
