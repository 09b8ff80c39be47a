/** Finds an object that a schema accepts, by correcting the members that the schema rejects. */
import type { StandardIssue, StandardSchema } from './schema-types.ts'
import { validateOrPending } from './asynchronous-results.ts'
import { tryCall } from './json-schema-of.ts'

/** The values that are tried for a member, in this order. */
const candidates: ReadonlyArray<unknown> = [
  'abcdefgh',
  1,
  true,
  {},
  [],
  null,
  '2000-01-01',
  '2000-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  'a@example.org',
  'https://example.org/',
]

const maxAttempts = 64

/**
 * Returns objects that a schema accepts or validates asynchronously, as far as they can be found: an object, and a list with this
 * object. The result contains objects that the schema rejects if no others are found.
 */
export const sampleObjects = (
  schema: StandardSchema<unknown, unknown>,
): readonly [object: unknown, list: unknown] => [
  sampleFrom(schema, {}, new Map(), maxAttempts),
  sampleFrom(schema, [{}], new Map(), maxAttempts),
]

const sampleFrom = (
  schema: StandardSchema<unknown, unknown>,
  sample: unknown,
  tried: ReadonlyMap<string, number>,
  attempts: number,
): unknown => {
  const issues = tryCall(() => validateOrPending(schema, sample))?.value?.issues ?? []
  const paths = issues.map(pathOf).filter((path) => path.length > 0)
  if (paths.length === 0 || attempts === 0) return sample
  const next = new Map(tried)
  const corrected = paths.reduce<unknown>((current, path) => {
    const key = JSON.stringify(path)
    const count = next.get(key) ?? 0
    next.set(key, count + 1)
    return replaceAt(current, path, candidates[count % candidates.length])
  }, sample)
  return sampleFrom(schema, corrected, next, attempts - 1)
}

const pathOf = ({ path = [] }: StandardIssue): ReadonlyArray<string> =>
  path.map((step) => String(typeof step === 'object' ? step.key : step))

const replaceAt = (value: unknown, path: ReadonlyArray<string>, member: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return member
  if (Array.isArray(value))
    return value.map((element, at) =>
      String(at) === key ? replaceAt(element, rest, member) : element,
    )
  const members = typeof value === 'object' && value !== null ? value : {}
  const current: unknown = Object.hasOwn(members, key) ? Reflect.get(members, key) : undefined
  return { ...members, [key]: replaceAt(current, rest, member) }
}
