import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    var input = ReviewInput(filmID: film, stars: stars)
    if let comment { input.comment = .value(comment) }

    do throws(RelayError) {
        let response = try await environment.commit(
            AddReviewMutation(input: input),
            optimistic: .update { store in
                guard let record = store.get("Film", id: film) else { return }
                let review = try store.get("Review", id: "new") ?? store.create("Review", id: "new")
                try review.setValue(.int(stars), forField: "stars")
                try review.setValue(comment.map { .string($0) } ?? .null, forField: "comment")

                let reviews = record.field("reviews")
                if reviews.linkedRecords != nil {
                    try reviews.append(review)
                } else if !reviews.isMissing {
                    // There were no reviews at all: the list is null.
                    try reviews.setLinkedRecords([review])
                }
            })

        // An answer without the payload, but with errors, is a refusal; so is one without any data.
        if response.data?.addReview == nil, let refusal = response.errors.first { return refusal.message }
        return response.data == nil ? "not sent" : "sent"
    } catch {
        return error.graphQLErrors.first?.message ?? "not sent"
    }
}
