import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let input = ReviewInput(filmID: film, stars: stars, comment: .some(comment))
    do {
        let response = try await environment.commit(
            AddReviewMutation(input: input),
            optimistic: .update { store in
                guard let record = store.get("Film", id: film) else { return }
                let review = try store.create("Review", id: "new")
                try review.setValue(.string("new"), forField: "id")
                try review.setValue(.int(stars), forField: "stars")
                try review.setValue(comment.map { .string($0) } ?? .null, forField: "comment")
                try record.append(review, toList: "reviews")
            })
        if response.data == nil, let error = response.errors.first { return error.message }
        return "sent"
    } catch {
        return error.graphQLErrors.first?.message ?? "not sent"
    }
}
