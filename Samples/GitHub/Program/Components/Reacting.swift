import Baton

/// Adds a reaction of the viewer, or takes it back.
enum Reacting {
    private static let mutations = graphql(
        """
        mutation ReactingAddMutation($input: AddReactionInput!) {
          addReaction(input: $input) {
            subject {
              ...Reacting_reactable
            }
          }
        }

        mutation ReactingRemoveMutation($input: RemoveReactionInput!) {
          removeReaction(input: $input) {
            subject {
              ...Reacting_reactable
            }
          }
        }

        fragment Reacting_reactable on Reactable {
          id
          reactionGroups {
            content
            viewerHasReacted
            reactors {
              totalCount
            }
          }
        }
        """
    )
}
