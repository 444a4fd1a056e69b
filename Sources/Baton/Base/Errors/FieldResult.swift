/// The value of a field or fragment with `@catch(to: RESULT)`, or the errors inside it.
///
/// The result is a failure if anything inside had an error from the server, was missing in the store, or was missing
/// although it is `@required(action: THROW)`. A null without an error is a success.
public enum FieldResult<Value> {
    /// The value.
    case success(Value)
    /// The errors, in the order in which the fields stand in the document.
    case failure([FieldError])

    /// The value of a success; nil for a failure.
    public var value: Value? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    /// The errors of a failure; none for a success.
    public var errors: [FieldError] {
        guard case .failure(let errors) = self else { return [] }
        return errors
    }
}

extension FieldResult: Sendable where Value: Sendable {}
extension FieldResult: Equatable where Value: Equatable {}
extension FieldResult: Hashable where Value: Hashable {}
