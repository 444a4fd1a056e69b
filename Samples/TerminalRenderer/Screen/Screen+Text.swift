extension Screen {
    /// Draws the current frame and returns its text, without styles and trailing spaces: what a test compares.
    ///
    ///     let page = tester.render { screen.text(width: 40, height: 5) }
    public func text(width: Int, height: Int) -> String { canvas(size: Size(width: width, height: height)).description }
}

extension Canvas: CustomStringConvertible {
    /// The lines.
    public var description: String { lines.joined(separator: "\n") }
}
