import Baton

/// The labels and people of a repository, to choose a filter from.
enum FilterMenu {
    private static let query = graphql(
        """
        query FilterMenuQuery($owner: String!, $name: String!) {
          repository(owner: $owner, name: $name) {
            labels(first: 100) {
              nodes {
                id
                name
                color
              }
            }
            assignableUsers(first: 100) {
              nodes {
                id
                login
              }
            }
          }
        }
        """
    )
}
