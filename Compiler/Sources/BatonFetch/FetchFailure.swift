/// Why a schema could not be fetched, in the words of a message to a person. Values of headers are never in it.
package struct FetchFailure: Error, Hashable, Sendable {
    package let message: String
    package let suggestion: String?
    /// Whether another attempt may succeed.
    let isTransient: Bool
    /// The number of seconds for which the server asks to be left alone; nil if it does not.
    let pause: Int?

    init(_ message: String, suggestion: String? = nil, isTransient: Bool = false, pause: Int? = nil) {
        self.message = message
        self.suggestion = suggestion
        self.isTransient = isTransient
        self.pause = pause
    }
}
