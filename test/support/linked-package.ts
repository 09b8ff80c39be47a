/** Folders in which the published files of this package can be imported by name. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Packages that the published files import, with their dependencies. */
const dependencies = [
  '@eslint-community/regexpp',
  'busboy',
  'cookie',
  'fp-ts',
  'io-ts',
  'lossless-json',
  'mime',
  'streamsearch',
  'temporal-polyfill',
  'temporal-utils',
]

/** Writes a `package.json`, and links the package and `packages` into `node_modules`. */
export const linkPackage = (
  folder: string,
  type: 'module' | 'commonjs',
  packages: ReadonlyArray<string> = dependencies,
): void => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'espalier'), { recursive: true })
  for (const name of ['package.json', 'dist'])
    symlinkSync(resolve(name), join(modules, 'espalier', name))
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(resolve('node_modules', name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
}
