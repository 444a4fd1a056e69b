/// How much of a list is shown.
public enum ListCount {
    /// Such as `8 of 12`, whether the rest can be had or not.
    public static func text(_ shown: Int, of total: Int) -> String { "\(shown) of \(total)" }
}
