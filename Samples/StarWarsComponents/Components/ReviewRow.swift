import Baton

/// One review.
public enum ReviewRow {
    private static let fragment = graphql(
        """
        fragment ReviewRow_review on Review {
          id
          stars
          commentary
        }
        """
    )

    /// What stands in place of a commentary.
    public static let withoutWords = "without words"
}
