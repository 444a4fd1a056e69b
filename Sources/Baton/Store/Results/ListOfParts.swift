/// A list that may have parts.
protocol ListOfParts {
    /// The parts; nil if the list was made of elements.
    var parts: ListParts? { get }
}
