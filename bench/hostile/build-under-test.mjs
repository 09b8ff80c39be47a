/**
 * Imports the build of espalier that a server uses: that of this checkout, or of the one in `HOSTILE_ROOT`.
 */
import { pathToFileURL } from 'node:url'

/** The URL of the checkout, with a trailing slash. */
export const root = process.env['HOSTILE_ROOT']
  ? pathToFileURL(`${process.env['HOSTILE_ROOT']}/`)
  : new URL('../../', import.meta.url)

/** @type {(path: string) => Promise<any>} */
const imported = (path) => import(new URL(path, root).href)

/** @type {typeof import('../../dist/src/index.js')} */
export const espalier = await imported('dist/espalier/index.js')

/** @type {typeof import('../../dist/src/node.js')} */
export const { serve } = await imported('dist/espalier/node.js')

/** @type {typeof import('../../node_modules/fp-ts/lib/function.js')} */
export const { pipe } = await imported('node_modules/fp-ts/lib/function.js')

/** @type {typeof import('../../node_modules/io-ts/lib/index.js')} */
export const t = await imported('node_modules/io-ts/lib/index.js')

/** Settings from the process that starts the server. @type {Record<string, string | number | boolean>} */
export const settings = JSON.parse(process.env['HOSTILE_SETTINGS'] ?? '{}')
