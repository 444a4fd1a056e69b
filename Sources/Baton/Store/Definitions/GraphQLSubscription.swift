/// A subscription, whose responses arrive as events.
public protocol GraphQLSubscription: GraphQLOperation {}
