/** An operation with two media types, for tests of interceptors. */
import { pipe } from 'fp-ts/lib/function.js'
import type { ReaderInterceptor, WriterInterceptor } from '../../src/index.ts'
import {
  body,
  handle,
  json,
  path,
  post,
  produces,
  routes,
  string,
  text,
  withInterceptor,
} from '../../src/index.ts'

/** A tree whose operation answers with what it was sent, as text or as JSON. */
export const changing = (
  name: string,
  ...interceptors: ReadonlyArray<ReaderInterceptor | WriterInterceptor>
) =>
  pipe(
    routes({
      both: pipe(
        path(`/${name}`),
        post(),
        body(text, json(string)),
        produces(text, json(string)),
        handle((input) => input.body),
      ),
    }),
    withInterceptor(...interceptors),
  )
