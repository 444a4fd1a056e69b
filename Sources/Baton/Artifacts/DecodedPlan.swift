/// The text of a plan, which is decoded at its first use.
package final class DecodedPlan: Sendable {
    private let text: String
    private let result = Guarded<Result<SelectionPlan, ResponseError>?>(nil)

    init(_ text: String) { self.text = text }

    /// The plan, or the error if its text is malformed. Every call returns the same result.
    package var plan: Result<SelectionPlan, ResponseError> {
        result.withLock { result in
            if let result { return result }
            let decoded: Result<SelectionPlan, ResponseError>
            do throws(ResponseError) { decoded = .success(try SelectionPlan.decode(text)) } catch {
                decoded = .failure(error)
            }
            result = decoded
            return decoded
        }
    }
}
