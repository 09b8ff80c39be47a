/**
 * Requests with large bodies, to operations whose limits are raised so that the complete body is parsed.
 *
 * @import { HostileRequest } from '../../dist/test/hostile/hostile-case.js'
 * @import { Measured } from '../../dist/test/hostile/hostile-server.js'
 */
import { fill, filled, posted } from '../../dist/test/hostile/hostile-case.js'
import { start } from '../../dist/test/hostile/hostile-server.js'

const mega = 1024 * 1024
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/** @type {(levels: number) => string} */
const nested = (levels) => `${'['.repeat(levels)}0${']'.repeat(levels)}`

/** @type {readonly { readonly title: string, readonly request: () => HostileRequest }[]} */
const requests = [
  {
    title: '`[0,0,…]`, 10 MB, to an array of a union',
    request: () => posted('/json/union', json, filled('[', '0', ']', 10 * mega)),
  },
  {
    title: '`[0,0,…]`, 1 MB, to an array of a union',
    request: () => posted('/json/union', json, filled('[', '0', ']', mega)),
  },
  {
    title: '`[null,null,…]`, 10 MB, to an array of numbers',
    request: () => posted('/json/number', json, filled('[', 'null', ']', 10 * mega)),
  },
  {
    title: '`[null,null,…]`, 1 MB, to an array of numbers',
    request: () => posted('/json/number', json, filled('[', 'null', ']', mega)),
  },
  {
    title: 'instants, 1 MB, accepted',
    request: () => posted('/json/instant', json, filled('[', '"2026-02-28T12:34:56Z"', ']', mega)),
  },
  {
    title: 'JSON nested to 99 levels, 10 MB',
    request: () => posted('/unknown', json, filled('[', nested(98), ']', 10 * mega)),
  },
  {
    title: 'unclosed JSON, 10 MB',
    request: () => posted('/unknown', json, `[${fill('[],', 10 * mega - 1)}`),
  },
  {
    title: 'form `a&a&…`, 10 MB',
    request: () => posted('/form', form, fill('a&', 10 * mega)),
  },
  {
    title: 'form `&&&…`, 10 MB',
    request: () => posted('/form', form, fill('&', 10 * mega)),
  },
]

/**
 * Measures each request on a new server, because some of them crash older builds.
 *
 * @type {(build: string) => Promise<readonly (readonly [title: string, measured: Measured | undefined])[]>}
 */
export const bodies = async (build) => {
  /** @type {(readonly [string, Measured | undefined])[]} */
  const rows = []
  for (const { title, request } of requests) {
    const server = await start({ build, flags: ['--expose-gc'], bodySize: '64M' })
    rows.push([title, await server.measure(request()).catch(() => undefined)])
    await server.close()
  }
  return rows
}
