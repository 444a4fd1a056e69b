/// How the person who runs the program can run it again.
package enum ProgramName {
    /// By the first argument of the process: the bare name is found on the path; what lies in a package's build folder
    /// was started by `swift run`, or can be; anything else is started by its path.
    package static func of(_ argument: String?) -> String {
        guard let argument, argument.contains("/") else { return "baton" }
        return argument.split(separator: "/").contains(".build") ? "swift run baton" : argument
    }
}
