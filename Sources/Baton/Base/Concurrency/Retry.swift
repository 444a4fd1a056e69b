/// Attempts that are made again.
enum Retry {
    /// Repeats an attempt until it gives a result. It gives none if another thread has changed meanwhile what it was
    /// made of. So each repetition means that another thread has moved on.
    @inline(__always)
    static func whileOthersMove<Result>(_ attempt: () -> Result?) -> Result {
        while true {
            if let result = attempt() { return result }
        }
    }
}
