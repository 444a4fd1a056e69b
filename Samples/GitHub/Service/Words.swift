/// The words from which the data is made.
enum Words {
    static let labels = [
        ("bug", "d73a4a"), ("enhancement", "a2eeef"), ("documentation", "0075ca"), ("good first issue", "7057ff"),
        ("help wanted", "008672"), ("question", "d876e3"), ("performance", "fbca04"), ("regression", "b60205"),
        ("area: parser", "c5def5"), ("area: rendering", "bfdadc"), ("area: network", "0e8a16"), ("windows", "1d76db"),
        ("macos", "5319e7"), ("linux", "f9d0c4"), ("needs reproduction", "e4e669"), ("security", "ee0701"),
        ("accessibility", "bfd4f2"), ("stale", "ededed"),
    ]
    static let logins = [
        "ada-byron", "bergmann", "ccarlsen", "dana-okafor", "eliza-q", "ferro", "gwen-ito", "hamid-r", "ines-costa",
        "jonas-w", "kaya-demir", "lior", "marta-n", "nikolai", "oyvind", "priya-s", "quentin", "rosa-lima", "sven-k",
        "tomoko", "ursula-v", "viktor-h", "wanda-p", "xiomara", "yusuf", "zoe-m", "anders-and", "bea-lopez", "chidi",
        "dmitri", "esther-b", "farah", "guillermo", "hedda", "ivo", "june-park", "kofi", "leila", "mads", "noor",
        "octavia", "pavel-z", "rania", "soren", "thandi", "umberto", "vera-l", "willem", "yara", "zhen",
    ]
    static let parts = [
        "the parser", "scrolling", "the status line", "search", "the file watcher", "syntax highlighting", "undo",
        "the clipboard", "mouse selection", "the network layer", "session restore", "the plugin loader", "key bindings",
        "the diff view", "word wrap", "the language server", "the theme picker", "multiple cursors", "the minimap",
        "the command palette", "split panes", "the terminal pane", "autosave", "the font cache", "startup",
    ]
    static let faults = [
        "crashes", "hangs", "loses the cursor", "shows stale contents", "uses too much memory", "flickers",
        "ignores the configuration", "draws over the border", "drops the last line", "leaks file descriptors",
        "is twice as slow as before", "reports the wrong column", "does not follow the theme", "forgets its position",
    ]
    static let circumstances = [
        "after a resize", "with very long lines", "over SSH", "on a read-only file system", "when the server restarts",
        "with wide characters", "in files of more than 10 MB", "after waking from sleep", "with two windows open",
        "when the branch is switched", "under tmux", "with right-to-left text", "while a build is running",
        "with an empty configuration", "after the update to 3.2", "when a line ends in an emoji \u{1F680}",
    ]
    static let wishes = [
        "Add an option for", "Document", "Make it possible to turn off", "Show progress for", "Speed up", "Remember",
        "Allow extensions to change", "Support the mouse in", "Add tests for", "Simplify", "Rewrite",
        "Add a shortcut for",
    ]
    static let openings = [
        "I noticed this today and could reproduce it every time.", "This happens on two of my machines.",
        "Since the last release I see this several times a day.", "A colleague reported this, and I can confirm it.",
        "It took me a while to find out when this happens.", "We run into this in a large repository.",
    ]
    static let middles = [
        "The log has nothing about it, even at the highest level.", "With version 3.1 it works as expected.",
        "If the window is narrow, it takes longer.", "A restart helps for a few minutes.",
        "Turning off all extensions makes no difference.", "I expected the contents to stay where they are.",
        "The process uses one core completely while it lasts.", "It seems to depend on the order of the files.",
        "I have attached a recording of the session.", "On a fresh profile it needs a second try.",
    ]
    static let closings = [
        "Happy to test a patch.", "I can provide a core dump if that helps.", "Is there a workaround?",
        "I would like to work on this if somebody shows me where to begin.", "Thanks for the great work!",
        "Let me know if you need more details.", "Perhaps the cache is to blame?",
    ]
    static let blocks = [
        "```\n$ harbor --version\nharbor 3.2.1 (linux, x86_64)\n$ harbor --log trace notes.txt\n```",
        "1. Open a large file\n2. Scroll to the end\n3. Resize the window twice",
        "```swift\nlet view = View(size: .init(width: 80, height: 24))\nview.draw(document, from: 0)\n```",
        "- [x] reproduced on Linux\n- [ ] reproduced on macOS\n- [ ] has a test",
        "> It used to work in 3.1, before the renderer was replaced.",
    ]
    static let answers = [
        "I can reproduce this.", "Could you try the nightly build?", "This is a duplicate of an older report, I think.",
        "Good catch! The position is computed before the resize is applied.", "+1, we see the same.",
        "I have bisected it to the change of the line cache.", "Fixed on `main`, will be in the next release.",
        "Works for me with 3.2.1. Which terminal do you use?", "Thanks, that was quick!",
        "The trace shows two redraws for each key.", "I do not think that we should change the default.",
        "Sounds reasonable to me \u{1F44D}", "Any news on this?", "Let us keep this open until the test has landed.",
        "The profile points to the width table: \u{6F22}\u{5B57} and combining marks are looked up one by one.",
    ]
}
