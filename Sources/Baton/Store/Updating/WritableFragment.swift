/// A fragment with `@updatable`. Updates write its fields through a struct with setters.
public protocol WritableFragment: GraphQLFragment {
    /// The struct with the setters.
    associatedtype Writable: GeneratedCode.WritableSelections
}
