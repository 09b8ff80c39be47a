/** Operations that read bodies, or wait for the end of their request. */
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import {
  body,
  byteStream,
  bytes,
  get,
  handle,
  path,
  post,
  produces,
  routes,
  text,
  Unauthorized,
} from '../../../src/index.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** What the handlers have done. Tests reset it. */
export const state = {
  read: 0,
  errors: new Array<unknown>(),
  handled: 0,
  aborted: 0,
  isReading: false,
}

export const api = routes({
  slowly: pipe(
    path('/slowly'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      await waitUntil(() => state.isReading)
      try {
        for await (const chunk of chunks) state.read += chunk.length
      } catch (error) {
        state.errors.push(error)
      }
      return String(state.read)
    }),
  ),
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle(({ body: { length } }) => {
      state.handled++
      return String(length)
    }),
  ),
  early: pipe(
    path('/early'),
    post(),
    body(byteStream),
    produces(text),
    handle(() => {
      throw new Unauthorized('Bearer', 'no credentials')
    }),
  ),
  partly: pipe(
    path('/partly'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      for await (const _ of chunks) break
      return 'enough'
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle(({ body: chunks }) => chunks),
  ),
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      state.handled++
      if (!signal.aborted) await once(signal, 'abort')
      state.aborted++
      return 'unread'
    }),
  ),
})
