/// The reason why a read found no value for a field.
public struct FieldError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        /// The server sent this error for the field.
        case server(GraphQLError)
        /// The field is null or missing, and it is `@required`.
        case missingRequired
        /// The store does not hold the field.
        case missingData
    }

    /// The kind of error.
    public let reason: Reason
    /// The path of the field or list item, from the root of the operation or fragment.
    public let path: [JSONValue.PathComponent]
    /// The name of the operation or fragment that was read.
    public let component: String
    /// True if the component has caught the error itself with `@catch(to: RESULT)`, and was not to throw it.
    var isCaught = false

    /// Creates an error.
    public init(_ reason: Reason, path: [JSONValue.PathComponent], component: String) {
        self.reason = reason
        self.path = path
        self.component = component
    }
}

extension FieldError {
    /// Compares the kind, the path and the component.
    public static func == (left: FieldError, right: FieldError) -> Bool {
        left.reason == right.reason && left.path == right.path && left.component == right.component
    }

    /// Hashes the kind, the path and the component.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(path)
        hasher.combine(component)
    }
}

extension FieldError: CustomStringConvertible {
    /// The error with its path and the operation or fragment, in one line for a person.
    public var description: String {
        let place = "at path '\(path.map(\.description).joined(separator: "."))' in '\(component)'"
        return switch reason {
        case .server(let error): "\(error.message) \(place)"
        case .missingRequired: "missing @required value \(place)"
        case .missingData: "missing data \(place)"
        }
    }
}

extension [FieldError] {
    /// The errors in one line for a person: the first ten, each of at most 1,000 bytes, and how many there are more.
    var text: String {
        let texts = prefix(10).map { $0.description.cut(to: 1_000) } + (count > 10 ? ["and \(count - 10) more"] : [])
        return texts.joined(separator: "; ")
    }
}
