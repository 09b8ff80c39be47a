/** A tree that takes texts in pieces and sends octets whose number it says, on a worker. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  body,
  byteStream,
  get,
  handle,
  int,
  ok,
  path,
  post,
  produces,
  routes,
  text,
  textStream,
  withHeader,
} from '../../src/index.ts'

function* pieces(octets: number) {
  for (let at = 0; at < octets; at += 1000) yield new Uint8Array(Math.min(1000, octets - at))
}

export const api = routes({
  letters: pipe(
    path('/letters'),
    post(),
    blocking,
    body(textStream),
    produces(text),
    handle(async (input) => {
      let letters = 0
      for await (const piece of input.body) letters += piece.length
      return `${letters}`
    }),
  ),
  announced: pipe(
    path('/announced/{said}/{octets}', { said: int, octets: int }),
    get(),
    blocking,
    produces(byteStream),
    handle(({ path: { said, octets } }) =>
      pipe(ok(pieces(octets)), withHeader('Content-Length', `${said}`)),
    ),
  ),
})
export const textsModule: string = import.meta.url
