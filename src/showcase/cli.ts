/** Calls an operation of a library that is served: `node dist/src/showcase/cli.js --help`. */
import { command } from './command.ts'

process.exitCode = await command(process.argv.slice(2), {
  out: process.stdout,
  error: (line) => console.error(line),
})
