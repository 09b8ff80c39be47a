/** The versions of TypeScript that read the programs in `test/types`. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A version of TypeScript. */
export interface Compiler {
  readonly version: '5.9' | '7.0'
  /** The path of `tsc`. */
  readonly path: string
  /** Further arguments. */
  readonly options: ReadonlyArray<string>
}

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}/bin/tsc`, import.meta.url))

/** The version of this repository. */
export const currentCompiler: Compiler = {
  version: '7.0',
  path: pathOf('node_modules/typescript'),
  // further checkers would repeat the work on shared types
  options: ['--checkers', '1'],
}

/** The oldest supported version. `npm ci` in `bench/types` installs it. */
export const oldestCompiler: Compiler = {
  version: '5.9',
  path: pathOf('bench/types/node_modules/typescript-5.9'),
  options: [],
}

/** Whether the oldest supported version is installed. */
export const hasOldestCompiler = existsSync(oldestCompiler.path)
