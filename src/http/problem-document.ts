/**
 * Writes problem documents as JSON, text or HTML. The `instance` argument is a URI that identifies the occurrence of the problem.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3
 */
import type { ValidationError } from './failure.ts'
import type { Problem } from './problem.ts'
import { constantProblems } from './problem.ts'

/**
 * Writes a problem as `application/problem+json`. The type is always `about:blank`, because the status code identifies the kind
 * of problem. `instance` is not escaped.
 */
export const toJson = (problem: Problem, instance: string): string =>
  `${constantDocuments.get(problem) ?? withoutInstance(problem)},"instance":"${instance}"}`

/**
 * Writes the part of a JSON document that precedes `instance`. This part can be cached, because occurrences of the same problem
 * differ only in `instance`.
 */
const withoutInstance = (problem: Problem): string => {
  const { title, status, detail, errors, truncated, supported } = problem
  const singleError = errors?.length === 1 ? errors[0] : undefined
  const cached = singleError === undefined ? undefined : cache.get(singleError)
  if (cached === undefined || truncated !== undefined || supported !== undefined)
    return write(problem)
  if (cached.status !== status || cached.title !== title || cached.detail !== detail) {
    cached.status = status
    cached.title = title
    cached.detail = detail
    cached.text = write(problem)
  }
  return cached.text
}

/** The cached document for a problem with a single validation error. */
interface CachedDocument {
  status: number
  title: string
  detail: string | undefined
  text: string
}

const cache = new WeakMap<ValidationError, CachedDocument>()

/**
 * Freezes a validation error that occurs repeatedly, and registers it for caching. {@link toJson} then caches the document for a
 * problem whose only error is this one.
 */
export const withCachedDocument = (error: ValidationError): ValidationError => {
  cache.set(error, { status: 0, title: '', detail: undefined, text: '' })
  return Object.freeze(error)
}

/**
 * Writes the members that precede `instance`, without the closing brace. For a problem with one error, `JSON.stringify` would take
 * 0.6 instead of 0.14 µs on Node.js 20, and 0.3 µs on Node.js 24.
 */
const write = ({ title, status, detail, errors, truncated, supported }: Problem): string =>
  [
    `{"type":"about:blank","title":${quote(title)},"status":${status}`,
    detail === undefined ? '' : `,"detail":${quote(detail)}`,
    errors === undefined ? '' : `,"errors":[${errors.map(writeError).join(',')}]`,
    truncated === undefined ? '' : `,"truncated":${truncated}`,
    supported === undefined ? '' : `,"supported":${JSON.stringify(supported)}`,
  ].join('')

const writeError = ({ in: group, name, pointer, detail }: ValidationError): string =>
  `{"in":"${group}"` +
  (name === undefined ? '' : `,"name":${quote(name)}`) +
  (pointer === undefined ? '' : `,"pointer":${quote(pointer)}`) +
  `,"detail":${quote(detail)}}`

const quote = (text: string): string =>
  mayNeedEscapes.test(text) ? JSON.stringify(text) : `"${text}"`

/** Matches all surrogates, although `JSON.stringify` escapes only lone ones. */
const mayNeedEscapes = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const constantDocuments: ReadonlyMap<Problem, string> = new Map(
  Object.values(constantProblems).map((problem) => [problem, write(problem)]),
)

/** Writes a problem as `text/plain`, with separate lines for the title, the detail, each validation error and other members. */
export const toText = (problem: Problem, instance: string): string =>
  `${lines(problem, instance).join('\n')}\n`

/** Writes a problem as `text/html`, for browsers. */
export const toHtml = (problem: Problem, instance: string): string => {
  const [heading = '', ...rest] = lines(problem, instance).map(escape)
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>`,
    `<body><h1>${heading}</h1>${rest.map((line) => `<p>${line}</p>`).join('')}</body></html>\n`,
  ].join('\n')
}

const lines = (
  { status, title, detail, errors = [], truncated, supported = [] }: Problem,
  instance: string,
): ReadonlyArray<string> => [
  `${status} ${title}`,
  ...(detail === undefined ? [] : [detail]),
  ...errors.map((error) => `${error.in} ${error.name ?? error.pointer ?? ''}: ${error.detail}`),
  ...(truncated ? ['Further errors are not listed.'] : []),
  ...(supported.length === 0 ? [] : [`Available: ${supported.join(', ')}`]),
  instance,
]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
