/// The text of a plan, which is decoded at its first use.
package final class DecodedPlan: Sendable {
    private let text: String
    private let result = Guarded<Result<SelectionPlan, RelayError.InvalidResponse>?>(nil)

    /// An object that a folder above has derived from the plan, such as the plan in the form that the store uses.
    private let made = Guarded<(any AnyObject & Sendable)?>(nil)

    init(_ text: String) { self.text = text }

    /// Returns the object that `make` derives from the plan; calls `make` only if the plan has no such object yet. A
    /// plan keeps one derived object, as long as it lives.
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
