/** Selects and runs a command of `espalier`. */
import { fileURLToPath } from 'node:url'
import type { ExitCode } from './exit-code.ts'
import { CommandError, exitCodeOf, exitCodes, formatError } from './exit-code.ts'
import { commandHelp, generalHelp } from './help.ts'
import { nearestPackage } from './load-module.ts'
import type { CommandTerminal } from './terminal.ts'

/** Runs a command with its arguments. Returns `true` unless a document is stale. */
type Command = (args: ReadonlyArray<string>, terminal: CommandTerminal) => Promise<boolean>

/** The commands. They are loaded on demand, because `--help` needs none of them. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  openapi: async () => (await import('./openapi-command.ts')).openApiCommand,
  routes: async () => (await import('./routes-command.ts')).routesCommand,
}

/** Runs a command line, and resolves to the exit code. Errors are written to the terminal. */
export const runCommand = async (
  args: ReadonlyArray<string>,
  terminal: CommandTerminal,
): Promise<ExitCode> => {
  try {
    return (await run(args, terminal)) ? exitCodes.success[0] : exitCodes.stale[0]
  } catch (error) {
    terminal.error(formatError(error, args.includes('--stack')))
    return exitCodeOf(error)
  }
}

const run: Command = async ([name, ...args], terminal) => {
  if (name === '--help' || name === '-h') {
    terminal.out(generalHelp)
    return true
  }
  if (name === '--version' || name === '-v') {
    const { version = '' } = nearestPackage(fileURLToPath(import.meta.url))
    terminal.out(`${version}\n`)
    return true
  }
  const names = Object.keys(commands).join(' or ')
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (name === undefined || load === undefined)
    throw new CommandError(
      'usage',
      `${name === undefined ? 'missing command' : name.startsWith('-') ? `unexpected option ${name} before the command` : `unknown command ${name}`}: expected ${names}\nRun espalier --help for the usage.`,
    )
  if (isHelp(args)) {
    terminal.out(commandHelp(name))
    return true
  }
  return (await load())(args, terminal)
}

const isHelp = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf('--')
  return args
    .slice(0, end === -1 ? args.length : end)
    .some((option) => option === '--help' || option === '-h')
}
