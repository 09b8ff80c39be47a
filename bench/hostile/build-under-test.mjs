/**
 * The build of espalier that a server under load uses: the one of this checkout, or of another directory, so that two builds
 * can be compared with the same script.
 */
import { pathToFileURL } from 'node:url'

/** The root of the checkout, with a slash at its end. */
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
