public import Baton

/// Waits until an environment has nothing left to do: every delivery to an observer is made, no collection runs, and
/// every request in flight rests.
///
/// A request rests while it sleeps on the manual clock, or while a `MockNetwork` holds it for the test to answer.
/// Without a clock and a network, all requests must have ended. The function does not wait for the test's own tasks. It
/// returns early if the calling task is cancelled.
public func settle(_ environment: RelayEnvironment, _ clock: ManualClock? = nil, network: MockNetwork? = nil) async {
    let activity = environment.activity
    let rests = [clock?.resting, network?.resting].compactMap { $0 }
    while !Task.isCancelled {
        let counts = activity.counts
        let resting = rests.map(\.counts)
        // A change between the two readings means that the counts belong to different moments.
        guard activity.counts == counts, rests.map(\.counts) == resting else { continue }
        let isStill =
            counts.deliveries == 0 && counts.collections == 0
            && counts.requests <= resting.reduce(0) { $0 + $1.requests(of: activity) }
        if isStill { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await activity.change(after: counts.revision) }
            for (rest, counts) in zip(rests, resting) {
                group.addTask { await rest.change(after: counts.revision) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

extension ManualClock {
    /// Moves the time from one sleeper to the next, and calls `settle` after each sleeper and at the end.
    ///
    /// The order of events is therefore the same on every run, whatever the load of the machine.
    public func advance(by duration: Duration, settling environment: RelayEnvironment, network: MockNetwork? = nil)
        async
    {
        let target = now.advanced(by: duration)
        await settle(environment, self, network: network)
        while !Task.isCancelled, wakeFirst(until: target) { await settle(environment, self, network: network) }
        advance(to: target)
        await settle(environment, self, network: network)
    }
}
