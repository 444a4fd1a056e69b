import Baton
import BatonHTTP
import Foundation
import StarWarsComponents

/// The network of the sample: slow enough to see the spinner, and failing when the user wants it to.
enum SampleNetwork {
    private static let delay = Duration.milliseconds(299)

    /// The network for an endpoint, or for the embedded service without a URL.
    static func make(url text: String?, clock: some Clock<Duration>) throws -> ConditionedNetwork {
        let base: any NetworkLayer
        if let text {
            guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https" else {
                throw Options.Failure(description: "'\(text)' is no URL of an endpoint")
            }
            base = HTTPNetwork(url: url)
        } else {
            base = try SagaNetwork(clock: clock)
        }
        // A server over plain HTTP has no subscriptions; `SplitNetwork` would add a WebSocket for them.
        return ConditionedNetwork(base, sendsEvents: text == nil, delay: delay, clock: clock)
    }
}
