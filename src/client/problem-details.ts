/**
 * Problem documents as they are received.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3.1
 */
import * as t from 'io-ts'

/** Members of another type than theirs are left out, as the RFC has it; there may be any others. */
export interface ProblemDetails {
  readonly type?: string
  readonly title?: string
  readonly status?: number
  readonly detail?: string
  readonly instance?: string
  readonly [member: string]: unknown
}

/** The document that a text is; `undefined` for any other text. */
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

/** What it says went wrong, and the first of the faults that espalier lists, as far as there is room in a line. */
export const summary = ({ title = '', detail = title, errors }: ProblemDetails): string => {
  const [first]: ReadonlyArray<unknown> = Array.isArray(errors) ? errors : []
  return (Fault.is(first) ? `${detail}: ${said(first)}` : detail)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

const Fault = t.intersection([
  t.type({ in: t.string, detail: t.string }),
  t.partial({ name: t.string, pointer: t.string }),
])

const said = ({ in: group, name, pointer, detail }: t.TypeOf<typeof Fault>): string =>
  `${group} ${name ?? pointer ?? ''} ${detail}`
