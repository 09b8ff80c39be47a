/**
 * What routers look up among 200 routes, five of each of 40 resources.
 *
 * @import { Row } from '../types.mjs'
 */

/** What is found for a path: the template, and what its variables took, decoded. */
/** @typedef {{ readonly template: string, readonly values: readonly string[] }} Found */

const resources = 40

/** Templates as RFC 6570 has them. @type {readonly string[]} */
export const templates = Array.from({ length: resources }, (_, n) => [
  `/things${n}`,
  `/things${n}/recent`,
  `/things${n}/{id}`,
  `/things${n}/{id}/parts`,
  `/things${n}/{id}/parts/{part}`,
]).flat()

const paths = 1_000

/** A look-up that finds nothing. @type {() => undefined} */
const nothing = () => undefined

/**
 * The paths are made anew for each pass, of octets, as a parser makes them: a text that was looked up
 * before knows its hash.
 *
 * @type {(name: string, title: string, path: (resource: number, n: number) => string, found: (resource: number, n: number) => Found | undefined) => Row}
 */
const row = (name, title, path, found) => {
  const all = Array.from(
    { length: paths },
    (_, n) => /** @type {const} */ ([(n * 7) % resources, n]),
  )
  const octets = all.map(([resource, n]) => Buffer.from(path(resource, n), 'latin1'))
  const expected = new Map(all.map(([resource, n]) => [path(resource, n), found(resource, n)]))
  return {
    name,
    title,
    inputs: () => octets.map((one) => one.toString('latin1')),
    expected: (input) => expected.get(String(input)),
  }
}

/** @type {readonly Row[]} */
export const rows = [
  row(
    'static',
    'no variable',
    (resource) => `/things${resource}/recent`,
    (resource) => ({ template: `/things${resource}/recent`, values: [] }),
  ),
  row(
    'one',
    'a whole number',
    (resource, n) => `/things${resource}/${n}`,
    (resource, n) => ({ template: `/things${resource}/{id}`, values: [String(n)] }),
  ),
  row(
    'two',
    'two variables',
    (resource, n) => `/things${resource}/${n}/parts/p${n}`,
    (resource, n) => ({
      template: `/things${resource}/{id}/parts/{part}`,
      values: [String(n), `p${n}`],
    }),
  ),
  row(
    'escaped',
    'a variable with escapes',
    (resource, n) => `/things${resource}/a%20b%C3%A9${n}`,
    (resource, n) => ({ template: `/things${resource}/{id}`, values: [`a bé${n}`] }),
  ),
  row('miss', 'nothing there', (resource, n) => `/things${resource}/${n}/nothing`, nothing),
]
