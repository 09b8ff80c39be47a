/** Parses the arguments of the `espalier` command. */
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { CommandError } from './exit-code.ts'
import { messageOf } from '../http/platform-value.ts'

/** The options that select a configuration of the route tree, which all commands have. */
export const treeOptions = {
  profile: { type: 'string' },
  define: { type: 'string', short: 'D', multiple: true },
  config: { type: 'string' },
  timeout: { type: 'string' },
  stack: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The values of {@link treeOptions}. */
export interface TreeArguments {
  readonly profile?: string | undefined
  readonly define?: ReadonlyArray<string> | undefined
  readonly config?: string | undefined
  readonly timeout?: string | undefined
}

/** Parsed options, and the module whose route tree is described. */
export interface ParsedArguments<V> {
  readonly values: V
  readonly module: string
}

type Options = NonNullable<ParseArgsConfig['options']>

type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; args: string[] }>
>['values']

/** Parses the arguments of a command that has a module as its only positional argument. */
export const parseArguments = <O extends Options>(
  command: string,
  args: ReadonlyArray<string>,
  options: O,
): ParsedArguments<Values<O>> => {
  const { values, positionals } = parse(command, args, options)
  const [module, ...others] = positionals
  if (module === undefined)
    throw usageError(command, 'missing MODULE: pass the path of a module that exports a route tree')
  if (others.length > 0) throw usageError(command, `unexpected argument ${others.join(' ')}`)
  return { values, module }
}

const parse = <O extends Options>(command: string, args: ReadonlyArray<string>, options: O) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const message = messageOf(error)
    // the message of Node.js continues with advice on positional arguments
    const [problem = ''] = message.split(/\.\s/)
    throw usageError(command, `invalid arguments: ${problem.replace(/\.$/, '')}`)
  }
}

/** Creates an error that refers to the help of a command. */
export const usageError = (command: string, message: string): CommandError =>
  new CommandError('usage', `${message}\nRun espalier ${command} --help for the options.`)

/** Parses definitions such as `fw.rest.path=/api`. A name may be repeated. The last value applies. */
export const parseDefinitions = (
  command: string,
  definitions: ReadonlyArray<string>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    definitions.map((definition) => {
      const [, name, value = ''] = /^([^=]+)=([^]*)$/.exec(definition) ?? []
      if (name === undefined)
        throw usageError(command, `invalid -D ${definition}: expected name=value`)
      return [name, value]
    }),
  )

/** Parses a number of seconds, and returns milliseconds. */
export const parseTimeout = (command: string, seconds: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(seconds))
    throw usageError(command, `invalid --timeout ${seconds}: expected seconds, from 1 to 999999`)
  return Number(seconds) * 1000
}
