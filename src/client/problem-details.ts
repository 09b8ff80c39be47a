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
