/** The input and output of the `espalier` command. */
import { CommandError } from './exit-code.ts'

/** Where a command reads and writes. */
export interface CommandTerminal {
  /** The working directory. */
  readonly directory: string
  /** Writes to standard output. */
  readonly out: (text: string) => void
  /** Writes a line to standard error. */
  readonly error: (line: string) => void
}

/** The terminal of the process. */
export interface ProcessTerminal extends CommandTerminal {
  /** Writes all output. Resolves once pipes have received it, or are closed by their readers. */
  readonly flush: () => Promise<void>
}

/**
 * Creates the terminal of the process. The output of the command is kept until `flush`. Anything else that is written to
 * `process.stdout`, such as the messages of an imported module, is written to standard error instead.
 */
export const processTerminal = (): ProcessTerminal => {
  const { stdout, stderr } = process
  const output: string[] = []
  const write = stdout.write.bind(stdout)
  Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr), configurable: true })
  // without readers of standard error, messages are lost
  stderr.on('error', () => undefined)
  return {
    directory: process.cwd(),
    out: (text) => {
      output.push(text)
    },
    error: (line) => {
      stderr.write(`${line}\n`)
    },
    flush: () =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException): void =>
          // the reader has closed the pipe, such as `head`
          error.code === 'EPIPE'
            ? resolve()
            : reject(
                new CommandError('usage', `cannot write to standard output: ${error.message}`, {
                  cause: error,
                }),
              )
        stdout.on('error', fail)
        write(output.join(''), (error) =>
          error === undefined || error === null ? resolve() : fail(error),
        )
      }),
  }
}
