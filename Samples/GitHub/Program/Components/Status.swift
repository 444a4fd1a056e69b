import Baton

/// Who is signed in, and what is left of the rate limit.
enum Status {
    private static let query = graphql(
        """
        query StatusQuery {
          ...Status_query
        }

        fragment Status_query on Query {
          viewer {
            id
            login
          }
          rateLimit {
            cost
            limit
            remaining
            resetAt
          }
        }
        """
    )
}
