/** Encodes the headers that an operation declares for its responses. */
import * as E from 'fp-ts/lib/Either.js'
import { valuesEncoder } from '../../body/text-values.ts'
import { headerValuesOf } from '../../endpoint/reply.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import type { ResponseValue } from './encode-response.ts'

/**
 * Returns a function that adds the declared headers to the response of a handler, or `undefined` if none are declared. It throws a
 * `TypeError` for a missing header and for an invalid value.
 */
export const headerEncoder = ({
  name: operation,
  responses,
}: Plan): ((response: ResponseValue) => ResponseValue) | undefined => {
  const byStatus = new Map(
    [...responses.values()].flatMap(({ status, headers = [] }) =>
      headers.length === 0
        ? []
        : [
            [
              status,
              headers.map((header) => ({ ...header, encode: valuesEncoder(header.codec) })),
            ] as const,
          ],
    ),
  )
  if (byStatus.size === 0) return undefined
  return (response) => {
    const values = headerValuesOf(response)
    const added = (byStatus.get(response.status) ?? []).flatMap(({ key, name, encode }) => {
      const value = values[key]
      // a reply can also have the header as text
      if (value === undefined && Headers.first(response.headers, name.toLowerCase()) !== undefined)
        return []
      const encoded = encode(value)
      const detail = E.isLeft(encoded)
        ? encoded.left
        : encoded.right.map(Grammar.headerValueError).find((error) => error !== undefined)
      if (detail !== undefined)
        throw new TypeError(
          value === undefined
            ? `missing response header ${name} of ${operation}: add withHeaders({ ${key}: … }) to the reply`
            : `invalid response header ${name} of ${operation}: ${detail}`,
        )
      return E.isRight(encoded) ? encoded.right.flatMap((text) => [name, text]) : []
    })
    return added.length === 0 ? response : { ...response, headers: [...response.headers, ...added] }
  }
}
