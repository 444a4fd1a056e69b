/// The text that starts the running program again at a prompt.
package enum ProgramName {
    /// Derives the text from the first argument of the process. A bare name is on the search path. A program in a
    /// package's build folder is started by `swift run`, and any other program by its path.
    package static func of(_ argument: String?) -> String {
        guard let argument, argument.contains("/") else { return "baton" }
        return argument.split(separator: "/").contains(".build") ? "swift run baton" : argument
    }
}
