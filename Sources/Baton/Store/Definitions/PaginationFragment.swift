/// A fragment with `@refetchable` and one `@connection`: the query fetches more pages of it.
public protocol PaginationFragment: RefetchableFragment {
    /// Where the fragment has the connection, and which variables of the query choose a page.
    static var connection: GeneratedCode.ConnectionMetadata { get }
}
