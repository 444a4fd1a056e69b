import Foundation

exit(MockProgram.run(Array(CommandLine.arguments.dropFirst())))
