/// A fragment with `@refetchable` and one `@connection`. The refetch query fetches more pages of the connection.
public protocol PaginationFragment: RefetchableFragment {
    /// The place of the connection in the fragment, and the variables of the query that choose a page.
    static var connection: GeneratedCode.ConnectionMetadata { get }
}
