/**
 * Measures the corpus of expensive requests that the tests also use, one request at a time.
 *
 * @import { Measured } from '../../dist/test/hostile/hostile-server.js'
 */
import { cases } from '../../dist/test/hostile/cases.js'
import { start } from '../../dist/test/hostile/hostile-server.js'
import { load } from '../../dist/test/hostile/library.js'

/** @typedef {Measured & { readonly name: string, readonly family: string }} Row */

const current = new URL('../../dist/espalier/', import.meta.url).href

/**
 * Sends all requests to a server of a build. Restarts the server if it exits.
 *
 * @type {(build: string, flags?: readonly string[]) => Promise<readonly Row[]>}
 */
export const corpus = async (build, flags = []) => {
  const options = { build, flags: ['--expose-gc', ...flags] }
  /** @type {Row[]} */
  const rows = []
  let server = await start(options)
  for (const { name, family, request } of cases(await load(current))) {
    const measured = await server.measure(request()).catch(() => undefined)
    if (measured === undefined) {
      server = await start(options)
      rows.push({ name, family, status: 0, hold: Infinity, cpu: Infinity, memory: Infinity })
    } else rows.push({ name, family, ...measured })
  }
  await server.close()
  return rows
}

/** @type {(rows: readonly Row[]) => ReadonlyMap<string, readonly Row[]>} */
export const byFamily = (rows) => {
  /** @type {Map<string, Row[]>} */
  const families = new Map()
  for (const row of rows) {
    const family = families.get(row.family)
    if (family === undefined) families.set(row.family, [row])
    else family.push(row)
  }
  return families
}
