/// A subscription, whose answers arrive as events.
public protocol GraphQLSubscription: GraphQLOperation {}
