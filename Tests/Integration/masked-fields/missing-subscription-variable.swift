import Baton

func missingVariable<Operation: GraphQLSubscription>(_ handle: SubscriptionHandle<Operation>) {
    // error: 'subscribe()' is unavailable: 'subscribe' needs an argument for each variable without a default
    _ = handle.subscribe()
}
