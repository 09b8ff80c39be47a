/** Compiles the route tree of a module for the `espalier` command. */
import { resolve } from 'node:path'
import type { CompiledTree } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import { loggerByLevel } from '../compiler/settings/logger.ts'
import { loadSettings } from '../node/settings/load-settings.ts'
import type { TreeArguments } from './arguments.ts'
import { parseDefinitions, parseTimeout } from './arguments.ts'
import type { LoadedTree } from './load-module.ts'
import { loadTree } from './load-module.ts'
import type { CommandTerminal } from './terminal.ts'

/** A compiled route tree with its source. */
export interface CompiledModule extends LoadedTree {
  readonly compiled: CompiledTree
}

/**
 * Imports a module and compiles its route tree. Environment variables and `.env` are not read, so that the result depends only on
 * files of the project and on the arguments. The tree may be a contract.
 */
export const compileModule = async (
  command: string,
  module: string,
  { profile = 'prod', define = [], config, timeout = '30' }: TreeArguments,
  { directory, error }: CommandTerminal,
): Promise<CompiledModule> => {
  const properties = parseDefinitions(command, define)
  const loaded = await loadTree(module, directory, parseTimeout(command, timeout))
  const configuration = loadSettings({
    profile,
    properties,
    propertiesOrigin: 'option -D',
    directory: config === undefined ? null : resolve(directory, config),
    readsDotEnv: false,
    environment: {},
  })
  const logger = loggerByLevel((level) => ({ codecs, operations = codecs }, message) => {
    const names = Array.isArray(operations) ? operations.map((name) => String(name)) : []
    if (level === 'warn' || level === 'error')
      error([`${level}: ${message}`, ...names].join('\n  '))
  })
  return {
    ...loaded,
    compiled: compileTree(loaded.tree, configuration.settings, {
      configuration,
      logger,
      isContract: true,
    }),
  }
}
