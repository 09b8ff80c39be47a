/** The entry point of the `espalier` command. The build adds the line that makes it executable. */
import { disableServe } from '../node/disable-serve.ts'
import { runCommand } from './command.ts'
import { exitCodeOf, exitCodes, formatError } from './exit-code.ts'
import { processTerminal } from './terminal.ts'

/**
 * Runs the command, and ends the process when all output is written. Timers, sockets and other resources of the imported module do
 * not keep the process alive.
 */
const main = async (): Promise<void> => {
  disableServe()
  const terminal = processTerminal()
  const args = process.argv.slice(2)

  const onExit = (): void => {
    terminal.error('espalier: the module has called process.exit while it was loaded')
    process.exitCode = exitCodes.module[0]
  }
  const onEmptyLoop = (): void => {
    process.off('exit', onExit)
    terminal.error(
      'espalier: the module awaits a promise at its top level that never settles: export the route tree from a module without side effects',
    )
    process.exitCode = exitCodes.module[0]
  }
  process.once('beforeExit', onEmptyLoop)
  process.once('exit', onExit)
  // background work of the module, such as a connection to a database that is not available, does not affect its route tree
  process.on('uncaughtException', (error) =>
    terminal.error(`warning: uncaught error in the module: ${error.message}`),
  )

  const code = await runCommand(args, terminal)
  const exitCode = await terminal.flush().then(
    () => code,
    (error: unknown) => {
      terminal.error(formatError(error, args.includes('--stack')))
      return exitCodeOf(error)
    },
  )
  process.off('exit', onExit)
  process.exit(exitCode)
}

void main()
