/** Packs this package, and runs programs in other folders as an application would. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** npm sets variables for its scripts, which would make it install into this repository. */
const { npm_config_local_prefix: _, ...environment } = process.env

/** Runs a program, and returns what it writes to standard output. */
export const run = async (
  folder: string,
  command: string,
  options: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, options, {
    cwd: folder,
    env: { ...environment, ...variables },
  })
  return stdout
}

/** The packed package. */
export interface Tarball {
  readonly path: string
  /** The paths of the files in the package. */
  readonly files: ReadonlyArray<string>
}

/** Packs the package without a build, which would replace the bundle that other tests import. */
export const pack = async (folder: string): Promise<Tarball> => {
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const packed = await run(process.cwd(), 'npm', ['pack', ...options])
  const [tarball] = JSON.parse(packed) as ReadonlyArray<{
    readonly filename: string
    readonly files: ReadonlyArray<{ readonly path: string }>
  }>
  if (tarball === undefined) throw new Error('npm pack has created no file')
  return {
    path: join(folder, tarball.filename),
    files: tarball.files.map(({ path }) => path),
  }
}
