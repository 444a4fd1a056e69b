/// A fragment: a named selection set that a component reads by itself.
public protocol GraphQLFragment: Sendable {
    /// The struct of the fields that the fragment selects.
    associatedtype Data: GeneratedCode.Selections

    /// The fragment's name, type condition and plan.
    static var artifact: GeneratedCode.FragmentArtifact { get }
}
