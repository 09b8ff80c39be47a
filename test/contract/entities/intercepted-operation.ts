/** An operation with two media types, for tests of interceptors. */
import { pipe } from 'fp-ts/lib/function.js'
import type { ReaderInterceptor, WriterInterceptor } from '../../../src/index.ts'
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
} from '../../../src/index.ts'

/** A tree with an operation that echoes its body, as text or as JSON, through `interceptors`. */
export const interceptedEcho = (
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
