/** Imports the module that exports a route tree, and finds its `package.json`. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AnyNode } from '../endpoint/routes.ts'
import { CommandError } from './exit-code.ts'
import { codeOf, isError, isObject, isThenable, isTagged } from '../http/platform-value.ts'

/** A route tree and the file of the module that exports it. */
export interface LoadedTree {
  readonly tree: AnyNode
  readonly file: string
}

/**
 * Imports a module given as `MODULE` or `MODULE#export`, and returns the route tree that it exports. Rejects if the module is not
 * loaded after `timeout` milliseconds.
 */
export const loadTree = async (
  argument: string,
  directory: string,
  timeout: number,
): Promise<LoadedTree> => {
  const { file, name } = locate(argument, directory)
  const found = exportsOf(await withTimeout(importModule(file), file, timeout))
  const names = name === undefined ? defaultNames : [name]
  const exported = names.find((one) => found.has(one))
  const tree = exported === undefined ? undefined : found.get(exported)
  if (isTree(tree)) return { tree, file }
  throw new CommandError(
    'module',
    exported === undefined
      ? `missing export ${names.join(' or ')} in ${file}: ${remedy(argument, found)}`
      : `expected the export ${exported} of ${file} to be a route tree, got ${describeExport(tree)}: ${remedy(argument, found)}`,
  )
}

/** The exports that are used if the argument names no export. */
const defaultNames = ['api', 'default']

interface Location {
  readonly file: string
  readonly name: string | undefined
}

/** Separates the path of a module from the name of its export. A path can itself contain `#`. */
const locate = (argument: string, directory: string): Location => {
  const whole = pathOf(argument, directory)
  const at = argument.lastIndexOf('#')
  if (at < 1 || existsSync(whole)) return { file: checked(whole), name: undefined }
  const name = argument.slice(at + 1)
  if (name === '')
    throw new CommandError('usage', `missing name after # in ${argument}: pass MODULE#export`)
  return { file: checked(pathOf(argument.slice(0, at), directory)), name }
}

const pathOf = (module: string, directory: string): string =>
  module.startsWith('file:') ? fileURLToPath(module) : resolve(directory, module)

const checked = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() === true) return file
  throw new CommandError(
    'module',
    `cannot load ${file}: ${stats === undefined ? 'no such file' : 'not a file: pass the path of a module'}`,
  )
}

const importModule = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await import(pathToFileURL(file).href)
  } catch (cause) {
    const message = isError(cause) ? `${cause.name}: ${cause.message}` : String(cause)
    const code = String(codeOf(cause))
    throw new CommandError(
      'module',
      typeScriptErrors.includes(code) || message.includes(file.concat(': Unknown file extension'))
        ? `cannot load ${file}: ${typeScriptRemedy(message)}`
        : `cannot load ${file}: ${message}\nRun the command with --stack for the stack trace.`,
      { cause },
    )
  }
}

/** The timer does not keep the process alive, so that a module that waits for nothing ends the command at once. */
const withTimeout = async <A>(loading: Promise<A>, file: string, timeout: number): Promise<A> => {
  const timer = new AbortController()
  const expired = setTimeout(timeout, undefined, { ref: false, signal: timer.signal }).then(() => {
    throw new CommandError(
      'module',
      `cannot load ${file}: timeout after ${timeout / 1000} s: export the route tree from a module that awaits nothing at its top level, or increase --timeout`,
    )
  })
  try {
    return await Promise.race([loading, expired])
  } finally {
    timer.abort()
  }
}

/** Codes of the errors with which Node.js rejects TypeScript. */
const typeScriptErrors = [
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]

const typeScriptRemedy = (message: string): string =>
  [
    message,
    `Node.js ${process.version.slice(1)} cannot load this file. Node.js 22.18 and later load TypeScript whose types can be removed. For all`,
    'other files, install tsx, and run: NODE_OPTIONS="--import tsx" espalier … (or node --import tsx node_modules/.bin/espalier …)',
  ].join('\n')

/**
 * Returns the exports of a module by name. For CommonJS modules, Node.js detects only some of the names, so the members of
 * `module.exports` are added.
 */
const exportsOf = (namespace: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> => {
  const { default: whole } = namespace
  const members =
    typeof whole === 'object' && whole !== null && !isTree(whole) ? Object.entries(whole) : []
  return new Map<string, unknown>([...Object.entries(namespace), ...members])
}

const remedy = (argument: string, found: ReadonlyMap<string, unknown>): string => {
  const trees = [...found].flatMap(([name, value]) => (isTree(value) ? [name] : []))
  const module = argument.replace(/#[^#]*$/, '')
  if (trees.length > 0)
    return `pass the name of an exported route tree: ${trees.map((name) => `${module}#${name}`).join(', ')}`
  const others =
    found.size === 0 ? 'it has no exports' : `its exports: ${[...found.keys()].join(', ')}`
  return `the module exports no route tree (${others}): export the value returned by routes({ … })`
}

const describeExport = (value: unknown): string => {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if ('_tag' in value && value._tag === 'Endpoint') return 'an endpoint'
  return isThenable(value) ? 'a promise' : 'an object'
}

const isTree = (value: unknown): value is AnyNode => isTagged(value, 'Routes')

/** The members of `package.json` that documents contain. */
export interface PackageDescription {
  readonly name?: string
  readonly version?: string
  readonly description?: string
}

/**
 * Returns the name, version and description in the nearest `package.json` that has a name, starting in the directory of a file. Files
 * without a name, which only declare the module system of a build, are skipped. Returns `{}` if there is no such file.
 */
export const nearestPackage = (file: string): PackageDescription => {
  const directory = dirname(file)
  const found = readPackage(join(directory, 'package.json'))
  if (found.name !== undefined) return found
  return directory === dirname(directory) ? {} : nearestPackage(directory)
}

const readPackage = (file: string): PackageDescription => {
  try {
    return describe(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {} // missing, unreadable or invalid
  }
}

const describe = (manifest: unknown): PackageDescription => {
  if (!isObject(manifest)) return {}
  const members = Object.entries(manifest).filter(
    ([name, value]: readonly [string, unknown]) =>
      ['name', 'version', 'description'].includes(name) &&
      typeof value === 'string' &&
      value !== '',
  )
  return Object.fromEntries(members)
}
