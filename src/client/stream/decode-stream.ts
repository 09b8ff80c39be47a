/** Reads JSON element by element: each by the codec, as soon as it is there. */
import * as E from 'fp-ts/lib/Either.js'
import type { JsonElements, Unfound } from '../../codec/json/json-elements.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { failureOf, within } from '../../body/read-body.ts'
import type { Errors } from './response-stream.ts'

export async function* elements(
  octets: AsyncIterable<Uint8Array>,
  split: (fail: (unfound: Unfound) => Error) => JsonElements,
  read: ReadContent,
  { unread, tooLarge }: Errors,
): AsyncGenerator<unknown, undefined> {
  const found = split((unfound) =>
    unfound._tag === 'TooLong' ? tooLarge() : unread(failureOf(unfound.detail)),
  )
  let index = 0
  const valueOf = (element: Uint8Array): unknown => {
    const value = read(element, undefined)
    if (E.isLeft(value)) throw unread(within(String(index), value.left))
    index++
    return value.right
  }
  for await (const piece of octets) for (const element of found.take(piece)) yield valueOf(element)
  for (const element of found.end()) yield valueOf(element)
}
