extension LogEvent {
    /// A log event: the program uses Baton in a way that has no effect, or that draws without end. Each misuse is
    /// reported once for each place. <doc:Mistakes> says what to write instead.
    public struct Misuse: Sendable, Hashable {
        /// What the program does.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// A tracked frame makes a handle that asks the network in every frame, and lets it go.
            case handleOfOneFrame
            /// A tracked frame changes data that it has read.
            case frameThatWrites
            /// A tracked frame asks one handle for different variables or fetch keys.
            case frameThatAsksTwice
            /// Each tracked frame asks a handle for other variables or another fetch key, before a response was shown.
            case frameThatAsksAnew
            /// A handle is let go while its request is under way and an observer waits for the first state.
            case handleLetGo
            /// The response to a `get` outside of frames has come, and nobody is told of it or looks for it.
            case answerUnseen
            /// An optimistic change is let go before anybody has read the store.
            case changeLetGo
            /// A page is asked of a handle that has no reference.
            case pageWithoutReference
            /// A preload is let go at once, and no handle was made with it.
            case preloadLetGo
        }

        /// What the program does.
        public let kind: Kind
        /// The name of the operation or fragment, or the line of the program if there is none.
        public let place: String
    }
}

extension LogEvent.Misuse: CustomStringConvertible {
    /// What happens, where, and what to do instead.
    public var description: String {
        switch kind {
        case .handleOfOneFrame:
            "a tracked frame makes a handle of '\(place)' and lets it go, so each frame sends its request again: keep "
                + "the handle beside the frame, or give it the policy 'storeOrNetwork'"
        case .frameThatWrites:
            "a tracked frame changes the data of '\(place)', which it has read, so it is never up to date: change data "
                + "when something happens, not while a frame is drawn"
        case .frameThatAsksTwice:
            "a tracked frame asks one handle of '\(place)' for different variables or fetch keys, so it is never up "
                + "to date: make a handle for each"
        case .frameThatAsksAnew:
            "each tracked frame asks '\(place)' for other variables or another fetch key, so no response is ever "
                + "shown: make the value outside of the frame, when something happens"
        case .handleLetGo:
            "a handle of '\(place)' was let go while its request was under way and somebody waited for it, so nothing "
                + "arrives: keep the handle as long as its data is shown"
        case .answerUnseen:
            "the response of '\(place)' has come, and nobody was told of it, because the handle has no observer and "
                + "was read outside of tracked frames: call 'observe', read 'results', or draw in 'track'"
        case .changeLetGo:
            "the change of applyUpdate at \(place) was let go before anybody could see it: keep the returned object "
                + "as long as the change is shown, or call 'update' for a change that stays"
        case .pageWithoutReference:
            "a page of '\(place)' was asked of a handle that has no reference, so nothing is loaded: give the handle "
                + "a reference first, by 'show'"
        case .preloadLetGo:
            "a preload of '\(place)' was let go at once, which cancels its request: keep it, and make a handle with "
                + "it, 'QueryHandle(preloaded)'"
        }
    }
}
