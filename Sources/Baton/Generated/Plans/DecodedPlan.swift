/// The text of a plan, which is decoded at its first use.
package final class DecodedPlan: Sendable {
    private let text: String
    private let result = Guarded<Result<SelectionPlan, RelayError.InvalidResponse>?>(nil)

    /// What a higher folder has made of the plan.
    private let made = Guarded<(any AnyObject & Sendable)?>(nil)

    init(_ text: String) { self.text = text }

    /// Returns what `make` makes of the plan, which is kept as long as the plan. There can be one such object.
    func derived<Derived: AnyObject & Sendable>(_ make: () -> Derived) -> Derived {
        if let known = made.withLock({ $0 }) as? Derived { return known }
        let object = make()
        return made.withLock { kept in
            if let known = kept as? Derived { return known }
            kept = object
            return object
        }
    }

    /// The plan, or the error if its text is malformed. Every call returns the same result.
    package var plan: Result<SelectionPlan, RelayError.InvalidResponse> {
        result.withLock { result in
            if let result { return result }
            let decoded: Result<SelectionPlan, RelayError.InvalidResponse>
            do throws(RelayError.InvalidResponse) { decoded = .success(try SelectionPlan.decode(text)) } catch {
                decoded = .failure(error)
            }
            result = decoded
            return decoded
        }
    }
}
