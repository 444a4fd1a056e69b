import TerminalRenderer

/// A script of a session, for `--frames`.
///
///     # a comment
///     size 80 24          the window from now on
///     keys down down s    keys, by the names of ``Key/init(name:)``
///     type a text         one key for each character
///     paste a text        the text at once
///     click 3 4           the left button at a column and a row, counted from 1
///     wait 300            milliseconds that pass on the manual clock
///     frame first list    prints the screen under this title, or without one
struct KeyScript: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case size(Size)
        case input([InputEvent])
        case wait(Duration)
        /// Prints the screen; an empty title is left out.
        case frame(String)
    }

    /// A line that is not valid.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let line: Int
        let message: String

        var description: String { "line \(line): \(message)" }
    }

    let steps: [Step]

    init(steps: [Step]) {
        self.steps = steps
    }

    /// Parses a script; throws for the first invalid line.
    init(parsing text: String) throws(Failure) {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let command = words.first, !command.hasPrefix("#") else { continue }
            do throws(Complaint) {
                steps.append(try Self.step(command, Array(words.dropFirst())))
            } catch {
                throw Failure(line: index + 1, message: error.message)
            }
        }
        self.steps = steps
    }

    private struct Complaint: Error {
        let message: String
    }

    private static func step(_ command: Substring, _ words: [Substring]) throws(Complaint) -> Step {
        switch command {
        case "size":
            let numbers = words.compactMap { Int($0) }
            guard words.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...500).contains($0) }) else {
                throw Complaint(message: "'size' takes a width and a height from 1 to 500")
            }
            return .size(Size(width: numbers[0], height: numbers[1]))
        case "keys":
            var keys: [Key] = []
            for word in words {
                guard let key = Key(name: word) else { throw Complaint(message: "there is no key '\(word)'") }
                keys.append(key)
            }
            guard !keys.isEmpty else { throw Complaint(message: "'keys' takes the names of keys") }
            return .input(keys.map { .key($0) })
        case "type": return .input(words.joined(separator: " ").map { .key(.character($0)) })
        case "paste": return .input([.paste(words.joined(separator: " "))])
        case "click":
            let numbers = words.compactMap { Int($0) }
            guard words.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...500).contains($0) }) else {
                throw Complaint(message: "'click' takes a column and a row from 1 to 500")
            }
            return .input([.mouse(MouseEvent(.press(button: 0), column: numbers[0] - 1, row: numbers[1] - 1))])
        case "wait":
            guard words.count == 1, let milliseconds = Int(words[0]), (0...600_000).contains(milliseconds) else {
                throw Complaint(message: "'wait' takes milliseconds from 0 to 600000")
            }
            return .wait(.milliseconds(milliseconds))
        case "frame":
            return .frame(words.joined(separator: " "))
        default:
            throw Complaint(
                message: "there is no command '\(command)'; there are size, keys, type, paste, click, wait and frame")
        }
    }
}
