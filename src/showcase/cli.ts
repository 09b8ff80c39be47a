/** Entry point for the command line. For help, run `node dist/src/showcase/cli.js --help`. */
import { command } from './command.ts'

process.exitCode = await command(process.argv.slice(2), {
  out: process.stdout,
  error: (line) => console.error(line),
})
