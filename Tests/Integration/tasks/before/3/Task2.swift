import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let sentComment: GraphQLNullable<String>
    let shownComment: JSONValue
    if let comment {
        sentComment = .value(comment)
        shownComment = .string(comment)
    } else {
        sentComment = .absent
        shownComment = .null
    }
    let input = ReviewInput(filmID: film, stars: stars, comment: sentComment.input)

    do throws(RelayError) {
        let response = try await environment.commit(
            AddReviewMutation(input: input),
            optimistic: .update { store in
                guard let record = store.get("Film", id: film) else { return }
                let review: RecordProxy
                if let known = store.get("Review", id: "new") {
                    review = known
                } else {
                    review = try store.create("Review", id: "new")
                }
                try review.setValue(.string("new"), forField: "id")
                try review.setValue(.int(stars), forField: "stars")
                try review.setValue(shownComment, forField: "comment")
                try record.append(review, toList: "reviews")
            }
        )
        if response.data?.addReview != nil { return "sent" }
        if let refusal = response.errors.first { return refusal.message }
        return "not sent"
    } catch {
        if let refusal = error.graphQLErrors.first { return refusal.message }
        return "not sent"
    }
}
