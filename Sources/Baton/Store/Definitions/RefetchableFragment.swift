/// A fragment with `@refetchable`: a generated query fetches the fragment again, with other variables if need be.
public protocol RefetchableFragment: GraphQLFragment {
    /// The query. It has a variable for each argument of the fragment, and for each variable that the fragment takes
    /// from an operation, under the same names.
    associatedtype RefetchQuery: GraphQLQuery

    /// The place of the fragment in the query, and the variable that identifies the fragment's object.
    static var refetch: GeneratedCode.RefetchMetadata { get }
}

extension GeneratedCode {
    /// The data that a refetch of a fragment needs.
    public struct RefetchMetadata: Sendable, Hashable {
        /// The response keys from the root of the query to the fragment.
        public let path: [String]
        /// The field of the fragment's object that identifies it; nil if the query finds the object without an
        /// identifier.
        public let identifierField: String?
        /// The variable of the query that takes the value of `identifierField`.
        public let identifierVariable: String?

        /// Keeps the parts.
        public init(path: [String], identifier: String? = nil, variable: String? = nil) {
            (self.path, identifierField, identifierVariable) = (path, identifier, variable)
        }
    }

    /// The data that a fetch of another page of a connection needs.
    public struct ConnectionMetadata: Sendable, Hashable {
        /// The variables of one direction.
        public struct Page: Sendable, Hashable {
            /// The variable for the number of edges.
            public let count: String
            /// The variable for the cursor from which the edges are counted; nil if the connection has none.
            public let cursor: String?

            /// Keeps the names.
            public init(_ count: String, _ cursor: String?) { (self.count, self.cursor) = (count, cursor) }
        }

        /// The directions in which a connection has variables.
        public enum Direction: Sendable, Hashable {
            /// Variables for `first` and `after`.
            case forward
            /// Variables for `last` and `before`.
            case backward
            /// Variables for both.
            case bidirectional
        }

        /// The response keys from the fragment to the connection; nil if a list lies between them, so that the fragment
        /// has several connections.
        public let path: [String]?
        /// The variables for the pages after the known ones.
        public let forward: Page?
        /// The variables for the pages before the known ones.
        public let backward: Page?

        /// Keeps the parts.
        public init(path: [String]?, forward: Page? = nil, backward: Page? = nil) {
            (self.path, self.forward, self.backward) = (path, forward, backward)
        }

        /// The directions that have variables; nil if the size of the page is no variable.
        public var direction: Direction? {
            switch (forward, backward) {
            case (_?, nil): .forward
            case (nil, _?): .backward
            case (_?, _?): .bidirectional
            case (nil, nil): nil
            }
        }
    }
}

/// A fragment with `@refetchable` and one `@connection`. The refetch query fetches more pages of the connection.
public protocol PaginationFragment: RefetchableFragment {
    /// The place of the connection in the fragment, and the variables of the query that choose a page.
    static var connection: GeneratedCode.ConnectionMetadata { get }
}
