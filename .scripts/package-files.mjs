/**
 * Omits from the package the sources and declarations of modules that no declaration of an entry point imports. Editors show the sources
 * of the others through the declaration maps. Programs load the bundles.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const declarations = new URL('dist/src/', root)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** The modules below `src` without extensions, such as `endpoint/handle`, that declarations import. */
const needed = new Set()

/** @type {(module: string) => void} */
const add = (module) => {
  const file = new URL(`${module}.d.ts`, declarations)
  if (needed.has(module) || !existsSync(file)) return
  needed.add(module)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import) ?\(?['"](\.[^'"]+)\.(?:js|ts)['"]/g,
  ))
    add(posix.join(posix.dirname(module), path))
}

for (const { types } of Object.values(exports))
  if (types !== undefined) add(types.replace('./dist/src/', '').replace('.d.ts', ''))

/** @type {(folder: string, extension: RegExp) => void} */
const ignoreOthers = (folder, extension) => {
  const path = fileURLToPath(new URL(folder, root))
  const others = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => extension.test(file) && !needed.has(file.replace(extension, '')))
  writeFileSync(`${path}.npmignore`, others.map((file) => `/${file}\n`).join(''))
}

ignoreOthers('src/', /\.ts$/)
ignoreOthers('dist/src/', /\.d\.ts(?:\.map)?$/)
