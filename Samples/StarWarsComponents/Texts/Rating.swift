/// A number of stars, of one review or the mean of several, as programs show it.
public struct Rating: Hashable, Sendable {
    /// The most stars that there are.
    public static let most = 5

    /// Nil before the first review.
    public let stars: Double?

    /// The number of stars, for a mean with its fraction; empty before the first review.
    public let number: String

    /// The mean of reviews; nil before the first one.
    public init(_ average: Double?) { (stars, number) = (average, average.map { "\($0)" } ?? "") }

    /// The stars of one review.
    public init(_ stars: Int) { (self.stars, number) = (Double(stars), "\(stars)") }

    /// The whole stars to show, from 0 to 5, whatever the service says. A mean of 4.7 has four: all stars are for a
    /// mean of all.
    public var filled: Int {
        guard let stars, stars.isFinite else { return 0 }
        return Int(min(max(stars, 0), Double(Self.most)))
    }

    /// The part of all stars, from 0 to 1, whatever the service says.
    public var share: Double {
        guard let stars, stars.isFinite else { return 0 }
        return min(max(stars / Double(Self.most), 0), 1)
    }

    /// The rating in words, such as `4.5 of 5 stars`.
    public var words: String { stars == nil ? "no reviews yet" : "\(number) of \(Self.most) stars" }
}
