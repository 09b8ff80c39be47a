/**
 * The look-ups of the router suite, among 200 routes: five for each of 40 resources.
 *
 * @import { Row } from '../types.mjs'
 */

/** The matched template and the decoded values of its variables. @typedef {{ readonly template: string, readonly values: readonly string[] }} Found */

const resources = 40

/** URI templates (RFC 6570). @type {readonly string[]} */
export const templates = Array.from({ length: resources }, (_, n) => [
  `/things${n}`,
  `/things${n}/recent`,
  `/things${n}/{id}`,
  `/things${n}/{id}/parts`,
  `/things${n}/{id}/parts/{part}`,
]).flat()

const paths = 1_000

/** A look-up without a match. @type {() => undefined} */
const nothing = () => undefined

/**
 * Creates the path strings from bytes for each pass, as an HTTP parser does, because a string caches its hash after the first
 * look-up.
 *
 * @type {(name: string, title: string, path: (resource: number, n: number) => string, found: (resource: number, n: number) => Found | undefined) => Row}
 */
const row = (name, title, path, found) => {
  const all = Array.from(
    { length: paths },
    (_, n) => /** @type {const} */ ([(n * 7) % resources, n]),
  )
  const bytes = all.map(([resource, n]) => Buffer.from(path(resource, n), 'latin1'))
  const expected = new Map(all.map(([resource, n]) => [path(resource, n), found(resource, n)]))
  return {
    name,
    title,
    inputs: () => bytes.map((path) => path.toString('latin1')),
    expected: (input) => expected.get(String(input)),
  }
}

/** @type {readonly Row[]} */
export const rows = [
  row(
    'static',
    'no variables',
    (resource) => `/things${resource}/recent`,
    (resource) => ({ template: `/things${resource}/recent`, values: [] }),
  ),
  row(
    'one',
    'an integer variable',
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
    'a percent-encoded variable',
    (resource, n) => `/things${resource}/a%20b%C3%A9${n}`,
    (resource, n) => ({ template: `/things${resource}/{id}`, values: [`a bé${n}`] }),
  ),
  row('miss', 'no match', (resource, n) => `/things${resource}/${n}/nothing`, nothing),
]
