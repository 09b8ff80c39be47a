/** The renderer of the documentation page: the files of the optional package `swagger-ui-dist`. */
import type { Requirement } from '../../endpoint/filter.ts'
import { resolveUnbundled } from '../../packages/load-package.ts'

/** The files of the package that are served. */
export const rendererFiles = [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'favicon-32x32.png',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
] as const

const oldestVersion = [5, 32] as const
const remedy = `the page of openApiRoutes requires version ${oldestVersion.join('.')} or later of the swagger-ui-dist package: run npm install swagger-ui-dist, or set page to false`

/** Returns the URL of a file of the package. Throws an error if the package is not installed. */
const resolveFile = (file: string): URL =>
  new URL(file, resolveUnbundled('swagger-ui-dist/package.json'))

/** Returns the path of a file of the package. The promise is rejected if the package is not installed. */
export const rendererFile = async (file: string): Promise<string> =>
  process.getBuiltinModule('node:url').fileURLToPath(resolveFile(file))

/** Reads the version of the installed package. The promise is rejected if the package is not installed or too old. */
export const rendererVersion = async (): Promise<string> => {
  const version = await (async () => {
    try {
      const { readFile } = process.getBuiltinModule('node:fs/promises')
      return versionIn(JSON.parse(await readFile(resolveFile('package.json'), 'utf8')))
    } catch (cause) {
      throw new Error(remedy, { cause })
    }
  })()
  if (isSupported(version)) return version
  throw new Error(`${remedy}: found version ${version}`)
}

const versionIn = (content: unknown): string =>
  typeof content === 'object' && content !== null && 'version' in content
    ? String(content.version)
    : 'unknown'

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1])
}

/** Reports a missing package when the tree is compiled, and an unsupported version before the server starts. */
export const rendererRequirement: Requirement = {
  missing: () => {
    try {
      resolveUnbundled('swagger-ui-dist/package.json')
      return undefined
    } catch {
      return remedy
    }
  },
  load: rendererVersion,
}
