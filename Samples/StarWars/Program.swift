import TerminalRenderer

@main
enum Program {
    static func main() throws {
        DescriptorOutput.write(try SagaExport.text() + "\n", to: DescriptorOutput.standard)
    }
}
