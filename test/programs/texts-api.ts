/** Blocking operations that read a text stream, and send a byte stream with a `Content-Length`. */
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

function* chunks(size: number) {
  for (let at = 0; at < size; at += 1000) yield new Uint8Array(Math.min(1000, size - at))
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
      for await (const chunk of input.body) letters += chunk.length
      return `${letters}`
    }),
  ),
  declared: pipe(
    path('/declared/{length}/{size}', { length: int, size: int }),
    get(),
    blocking,
    produces(byteStream),
    handle(({ path: { length, size } }) =>
      pipe(ok(chunks(size)), withHeader('Content-Length', `${length}`)),
    ),
  ),
})
export const textsModule: string = import.meta.url
