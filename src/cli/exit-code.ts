/** The exit codes of the `espalier` command, and the errors that select them. */
import { isConfigurationError } from '../endpoint/definition/configuration-error.ts'
import { isError } from '../http/platform-value.ts'

/** The exit codes with their meanings, as `--help` lists them. They do not change between versions. */
export const exitCodes = {
  success: [0, 'success'],
  stale: [1, 'the document of --check is missing or differs from the generated one'],
  usage: [2, 'invalid arguments, or a file that cannot be read or written'],
  module: [3, 'the module cannot be loaded, or exports no route tree'],
  configuration: [4, 'configuration errors in the route tree or the settings'],
  internal: [5, 'unexpected error'],
} as const

/** The name of an exit code. */
export type ExitCodeName = keyof typeof exitCodes

/** A number with which the command exits. */
export type ExitCode = (typeof exitCodes)[ExitCodeName][0]

/** An error of the command. Its message is written to standard error without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCodeName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = exitCodes[exitCode][0]
  }
}

/** Returns the innermost error that describes the problem: the configuration error that caused an error, or the error itself. */
const underlying = (error: unknown): unknown =>
  isError(error) && isConfigurationError(error.cause) ? error.cause : error

/** Returns the exit code for an error. */
export const exitCodeOf = (error: unknown): ExitCode => {
  const cause = underlying(error)
  if (isConfigurationError(cause)) return exitCodes.configuration[0]
  return cause instanceof CommandError ? cause.exitCode : exitCodes.internal[0]
}

/** Formats an error for standard error. Stack traces are included for unexpected errors, and for all errors if `stack` is `true`. */
export const formatError = (error: unknown, stack: boolean): string => {
  const cause = underlying(error)
  const isExpected = cause instanceof CommandError || isConfigurationError(cause)
  if (isExpected) return `espalier: ${cause.message}${stack ? `\n${stackOf(cause)}` : ''}`
  return `espalier: unexpected error: ${isError(cause) ? stackOf(cause) : String(cause)}`
}

/** Returns the stack trace of the error that caused an error, or else of the error itself. */
const stackOf = (error: Error): string =>
  isError(error.cause) ? stackOf(error.cause) : (error.stack ?? String(error))
