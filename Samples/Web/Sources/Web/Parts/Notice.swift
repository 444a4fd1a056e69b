import HTML

/// Short messages in a page.
enum Notice {
    /// Says that a part of the data is missing.
    static func holes(_ visit: Visit) -> HTML {
        visit.hasHoles ? "<p class=\"notice\" role=\"status\">Some facts are missing here at the moment.</p>" : ""
    }

    static func failed(_ text: String) -> HTML { "<p class=\"notice\" role=\"status\">\(text)</p>" }
}
