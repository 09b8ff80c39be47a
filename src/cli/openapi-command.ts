/** The command `espalier openapi`. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { serverCategory } from '../compiler/settings/logger.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { logIssues, validDocument } from '../openapi/describe-tree.ts'
import { parseArguments, treeOptions, usageError } from './arguments.ts'
import { compileModule } from './compile-tree.ts'
import { differences, formatDifferences } from './difference.ts'
import type { DocumentFormat } from './document-file.ts'
import {
  formatOf,
  parseDocument,
  reasonOf,
  writeAtomically,
  writeDocument,
} from './document-file.ts'
import { ConfigurationError } from '../endpoint/definition/configuration-error.ts'
import { CommandError } from './exit-code.ts'
import type { CommandTerminal } from './terminal.ts'
import { codeOf } from '../http/platform-value.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { DocumentOptions } from '../openapi/document-options.ts'
import { findServedOptions } from '../openapi/document-options.ts'
import { nearestPackage } from './load-module.ts'

const options = {
  ...treeOptions,
  output: { type: 'string', short: 'o' },
  check: { type: 'string' },
  version: { type: 'string' },
  yaml: { type: 'boolean' },
  title: { type: 'string' },
  'api-version': { type: 'string' },
  server: { type: 'string', multiple: true },
} as const

/** Writes the document of a route tree, or compares it with a committed document. Resolves to `false` if that document is stale. */
export const openApiCommand = async (
  args: ReadonlyArray<string>,
  terminal: CommandTerminal,
): Promise<boolean> => {
  const { values, module } = parseArguments('openapi', args, options)
  const { output, check, yaml } = values
  if (output !== undefined && check !== undefined)
    throw usageError('openapi', 'expected either -o or --check, got both')
  const { tree, file, compiled } = await compileModule('openapi', module, values, terminal)
  const created = validDocument(compiled, documentOptions(values, tree, file))
  const { document, unauthenticated } = created
  if (check !== undefined && unauthenticated.length > 0) throw notAuthenticated(unauthenticated)
  logIssues(created, compiled.configuration.profile, compiled.loggerOf(serverCategory))
  const format = formatOf(output ?? check, yaml)
  if (check !== undefined) return isCurrent(document, format, check, args, terminal)
  const text = writeDocument(document, format)
  if (output === undefined || output === '-') terminal.out(text)
  else await writeAtomically(resolve(terminal.directory, output), text)
  return true
}

/** A published document that describes protected operations as public is an error, and a draft of it only causes a warning. */
const notAuthenticated = (operations: ReadonlyArray<string>): ConfigurationError =>
  new ConfigurationError([
    {
      code: 'FW-ACCESS-002',
      concerns: operations,
      remedy:
        'apply the authentication filter to the contract, so that the document does not describe these operations as public: withFilter(bearer({ … }))',
    },
  ])

/** Compares a committed document with the generated one. Values are compared, not the formatting. */
const isCurrent = async (
  document: OpenApiDocument,
  format: DocumentFormat,
  file: string,
  args: ReadonlyArray<string>,
  { directory, out }: CommandTerminal,
): Promise<boolean> => {
  const generated = writeDocument(document, format)
  const committed = await readCommitted(resolve(directory, file))
  if (committed === generated) return true
  const update = `Update it with: ${updateCommand(args, file)}\n`
  if (committed === undefined) {
    out(`${file} does not exist.\n${update}`)
    return false
  }
  const found = differences(
    await parseDocument(file, committed, format),
    JSON.parse(JSON.stringify(document)),
  )
  if (found.length === 0) return true
  const count = found.length === 1 ? '1 difference' : `${found.length} differences`
  out(
    `${file} is stale: ${count} from the generated document\n\n${formatDifferences(found)}\n\n${update}`,
  )
  return false
}

/** Reads a committed document. Resolves to `undefined` if the file does not exist. */
const readCommitted = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new CommandError('usage', `cannot read ${file}: ${reasonOf(cause)}`, { cause })
  }
}

/** Returns the command that writes the document instead of checking it. */
const updateCommand = (args: ReadonlyArray<string>, file: string): string =>
  ['espalier', 'openapi', ...args.filter((arg, at) => !isCheck(args, arg, at, file)), '-o', file]
    .map((arg) => (/^[\w./:=@%+,#-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ')

const isCheck = (args: ReadonlyArray<string>, arg: string, at: number, file: string): boolean =>
  arg === '--check' || arg === `--check=${file}` || (arg === file && args[at - 1] === '--check')

/** The arguments that replace members of the document. */
export interface DocumentArguments {
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly 'api-version'?: string | undefined
  readonly server?: ReadonlyArray<string> | undefined
}

/**
 * Returns the options for the document of a tree. Arguments take precedence over the options of `openApiRoutes` in the tree. Without
 * both, the title, version and description are those of the nearest `package.json` of the module that exports the tree.
 */
export const documentOptions = (
  { version, title, 'api-version': apiVersion, server }: DocumentArguments,
  tree: AnyNode,
  file: string,
): DocumentOptions => {
  const served = findServedOptions(tree)
  return {
    ...served,
    ...(version === undefined ? {} : { version: parseVersion(version) }),
    info: {
      ...(served?.info ?? infoOfPackage(file)),
      ...(title === undefined ? {} : { title }),
      ...(apiVersion === undefined ? {} : { version: apiVersion }),
    },
    ...(server === undefined ? {} : { servers: server.map((url) => ({ url })) }),
  }
}

const parseVersion = (version: string): '3.1' | '3.2' => {
  if (version === '3.1' || version === '3.2') return version
  throw usageError('openapi', `invalid --version ${version}: expected 3.1 or 3.2`)
}

/** OpenAPI requires a title and a version. The default values do not depend on the directory, so that the document is reproducible. */
const infoOfPackage = (file: string): DocumentOptions['info'] => {
  const { name = 'API', version = '0.0.0', description } = nearestPackage(file)
  return { title: name, version, ...(description === undefined ? {} : { description }) }
}
