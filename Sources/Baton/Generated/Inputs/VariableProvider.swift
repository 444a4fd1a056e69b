/// Gives the value of an argument that a fragment declares with a `provider`.
///
///     fragment FilmList_films on Query @argumentDefinitions(size: {type: "Int!", provider: "PageSize"}) { ... }
///
///     enum PageSize: VariableProvider {
///         static func get() -> Int { 20 }
///     }
///
/// The operations that use the fragment send the value as a variable, without a property for it.
///
/// `get` is called each time an operation is prepared: for a request, a read, or a check of the store. It is called on
/// any thread, while no lock is held, and must return quickly. All fragments of one operation get the value of one
/// call.
///
/// ### Behavior
///
/// - With another value of its provider an operation is another one, and references keep the data of the old value.
public protocol VariableProvider: SendableMetatype {
    /// The Swift type of the argument, optional if its GraphQL type is nullable.
    associatedtype Value: Sendable

    /// Returns the value.
    static func get() -> Value
}

extension GeneratedCode {
    /// A variable whose value a provider gives, as an entry of an artifact.
    public struct ProvidedVariable: Sendable {
        /// The name of the variable in the request.
        package let name: String
        /// The JSON to send; nil if the value's arrays and objects are nested deeper than `levels`.
        package let jsonValue: @Sendable (_ levels: Int) -> JSONValue?

        /// Pairs a variable with the provider of its values.
        public init<Provider: VariableProvider>(
            _ name: String, _ type: Provider.Value.Type, _ provider: Provider.Type
        ) where Provider.Value: GeneratedCode.Input {
            self.name = name
            jsonValue = { Provider.get().jsonValue(levels: $0) }
        }

        /// Pairs a variable with the provider of its values and with the conversion of a value to the JSON type that is
        /// sent.
        public init<Provider: VariableProvider, Sent: GeneratedCode.Input>(
            _ name: String, _ type: Provider.Value.Type, _ provider: Provider.Type,
            sent: @escaping @Sendable (Provider.Value) -> Sent
        ) {
            self.name = name
            jsonValue = { sent(Provider.get()).jsonValue(levels: $0) }
        }
    }
}
