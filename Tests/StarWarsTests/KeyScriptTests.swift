import TerminalRenderer
import Testing

@testable import starwars

@Suite
struct KeyScriptTests {
    @Test
    func stepsAreReadInOrder() throws {
        let script = try KeyScript(
            parsing: """
                # opens a film
                size 40 12

                keys down enter q
                type a b
                paste c  d
                click 1 2
                wait 300
                frame the  film
                frame
                """
        )
        #expect(
            script.steps == [
                .size(Size(width: 40, height: 12)), .input([.key(.down), .key(.enter), .key(.character("q"))]),
                .input([.key(.character("a")), .key(.character(" ")), .key(.character("b"))]), .input([.paste("c d")]),
                .input([.mouse(MouseEvent(.press(button: 0), column: 0, row: 1))]), .wait(.milliseconds(300)),
                .frame("the film"), .frame(""),
            ]
        )
    }

    @Test(arguments: [
        ("size 80", 1, "'size' takes a width and a height from 1 to 500"),
        ("size 0 24", 1, "'size' takes a width and a height from 1 to 500"),
        ("\nkeys", 2, "'keys' takes the names of keys"),
        ("keys up upp", 1, "there is no key 'upp'"),
        ("wait -1", 1, "'wait' takes milliseconds from 0 to 600000"),
        ("# fine\nwait soon", 2, "'wait' takes milliseconds from 0 to 600000"),
        ("size 80 24\nkeys", 2, "'keys' takes the names of keys"),
        ("jump", 1, "there is no command 'jump'; there are size, keys, type, paste, click, wait and frame"),
    ])
    func mistakesAreReportedWithTheirLine(text: String, line: Int, message: String) {
        #expect(throws: KeyScript.Failure(line: line, message: message)) { try KeyScript(parsing: text) }
    }
}

@Suite
struct OptionsTests {
    @Test
    func argumentsAreRead() throws {
        let options = try Options(["--url", "http://localhost/graphql", "--frames", "-"])
        #expect(options.url == "http://localhost/graphql")
        #expect(options.script == "-")
        #expect(!options.dumpsData && !options.showsHelp)
        #expect(try Options(["--dump-data"]).dumpsData)
        #expect(try Options(["-h"]).showsHelp)
    }

    @Test
    func mistakesAreReported() {
        #expect(throws: Options.Failure(description: "'--url' takes a value")) { try Options(["--url"]) }
        #expect(throws: Options.Failure(description: "unknown argument '--frame'; '--help' lists what there is")) {
            try Options(["--frame"])
        }
    }
}
