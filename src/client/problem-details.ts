/**
 * Parses problem documents.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3.1
 */
import * as t from 'io-ts'

/** A problem document. Standard members of an unexpected type are omitted (RFC 9457, 3.1); extension members are kept. */
export interface ProblemDetails {
  readonly type?: string
  readonly title?: string
  readonly status?: number
  readonly detail?: string
  readonly instance?: string
  readonly [member: string]: unknown
}

/** Parses a JSON object. Returns `undefined` for any other text. */
export const parse = (text: string): ProblemDetails | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!t.UnknownRecord.is(value) || Array.isArray(value)) return undefined
  const { type, title, status, detail, instance, ...extensions } = value
  return Object.freeze({
    ...extensions,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof instance === 'string' ? { instance } : {}),
  })
}

/** Returns `detail` or `title` and the first of the validation errors that espalier servers list, in at most 200 characters. */
export const summary = ({ title = '', detail = title, errors }: ProblemDetails): string => {
  const [first]: ReadonlyArray<unknown> = Array.isArray(errors) ? errors : []
  return (ListedError.is(first) ? `${detail}: ${describe(first)}` : detail)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

const ListedError = t.intersection([
  t.type({ in: t.string, detail: t.string }),
  t.partial({ name: t.string, pointer: t.string }),
])

const describe = ({ in: group, name, pointer, detail }: t.TypeOf<typeof ListedError>): string =>
  `${group} ${name ?? pointer ?? ''} ${detail}`
