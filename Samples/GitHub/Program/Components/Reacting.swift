import Baton

/// Adds a reaction, or takes it back.
enum Reacting {
    private static let mutations = graphql(
        """
        mutation ReactingAddMutation($input: AddReactionInput!) {
          addReaction(input: $input) { subject { ...Reacting_reactable } }
        }

        mutation ReactingRemoveMutation($input: RemoveReactionInput!) {
          removeReaction(input: $input) { subject { ...Reacting_reactable } }
        }

        fragment Reacting_reactable on Reactable {
          __typename
          id
          reactionGroups { content viewerHasReacted reactors { totalCount } }
        }
        """
    )

    @MainActor
    static func toggle(_ content: ReactionContent, on block: Session.Block, in session: Session) {
        guard let comment = session.environment.read(block.reference),
            let groups = comment.asReactable?.reactionGroups
        else { return }
        let isAdded = !groups.contains { $0.content == content && $0.viewerHasReacted }
        let expected: [JSONValue] = groups.map { group in
            let isChanged = group.content == content
            let count = group.reactors.totalCount + (isChanged ? (isAdded ? 1 : -1) : 0)
            return [
                "content": .string(group.content.rawValue), "reactors": ["totalCount": .int(max(0, count))],
                "viewerHasReacted": .bool(isChanged ? isAdded : group.viewerHasReacted),
            ]
        }
        let subject: JSONValue = [
            "__typename": .string(comment.__typename), "id": .string(block.id), "reactionGroups": .array(expected),
        ]
        if isAdded {
            let mutation = ReactingAddMutation(input: .init(content: content, subjectId: block.id))
            session.commit(mutation, expecting: ["addReaction": ["subject": subject]], failed: "No reaction.")
        } else {
            let mutation = ReactingRemoveMutation(input: .init(content: content, subjectId: block.id))
            session.commit(mutation, expecting: ["removeReaction": ["subject": subject]], failed: "Still there.")
        }
    }
}
