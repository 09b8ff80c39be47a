/** A tree to mount, and a server that has mounted it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipe } from 'fp-ts/lib/function.js'
import {
  body,
  byteStream,
  created,
  get,
  handle,
  int,
  json,
  path,
  post,
  produces,
  reply,
  responds,
  routes,
  string,
  text,
  withHeader,
} from '../../../src/index.ts'
import type { NodeListener, NodeListenerOptions } from '../../../src/node.ts'
import { nodeListener } from '../../../src/node.ts'
import * as t from 'io-ts'
import type { Gate } from '../../support/gate.ts'
import { waitAtGate } from '../../support/gate.ts'
import type { LogLine } from '../../support/recorder.ts'
import { createRecorder } from '../../support/recorder.ts'
import { withHttpServer } from '../../support/while-listening.ts'

/** Signals of the requests to `/wait`, in order. */
export const signals: AbortSignal[] = []

/** A tree whose operation `GET /wait` waits at a gate. */
export const mountedApi = (gate?: Gate) =>
  routes({
    hello: pipe(
      path('/hello'),
      get(),
      produces(text),
      handle(() => 'Hello'),
    ),
    book: pipe(
      path('/books/{id}', { id: int }),
      get(),
      produces(text),
      handle(({ path: { id } }) => `${id}`),
    ),
    where: pipe(
      path('/where'),
      get(),
      produces(text),
      handle((_, { uri }) => `${uri.base.href} ${uri.path}`),
    ),
    created: pipe(
      path('/created'),
      post(),
      responds(201),
      handle(() => created('hello')),
    ),
    name: pipe(
      path('/name'),
      post(),
      body(json(t.type({ name: string }))),
      produces(text),
      handle(({ body: { name } }) => name),
    ),
    echo: pipe(
      path('/echo'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    ),
    copy: pipe(
      path('/copy'),
      post(),
      body(byteStream),
      produces(byteStream),
      handle((input) => input.body),
    ),
    cookies: pipe(
      path('/cookies'),
      get(),
      responds(200, text),
      handle(() =>
        pipe(reply(200, 'set'), withHeader('Set-Cookie', 'a=1'), withHeader('Set-Cookie', 'b=2')),
      ),
    ),
    fails: pipe(
      path('/fails'),
      get(),
      produces(text),
      handle((): string => {
        throw new Error('broken')
      }),
    ),
    wait: pipe(
      path('/wait'),
      get(),
      produces(text),
      handle(async (_, { request, application }) => {
        signals.push(request.signal)
        if (gate !== undefined) await waitAtGate(gate.name)
        return `stopping: ${application.stopping.aborted}`
      }),
    ),
  })

export interface Mounted {
  readonly url: string
  readonly listener: NodeListener
  readonly lines: ReadonlyArray<LogLine>
}

type Call = (listener: NodeListener, request: IncomingMessage, response: ServerResponse) => void

/** Passes requests to the listener, without `next`. */
export const direct: Call = (listener, request, response) => listener(request, response)

/** Starts a server that passes requests to a listener with `call`, and stops both after `use`. */
export const withMounted = async <A>(
  options: NodeListenerOptions & { readonly gate?: Gate },
  call: Call,
  use: (mounted: Mounted) => Promise<A>,
): Promise<A> => {
  const { logger, lines } = createRecorder()
  const { gate, ...listenerOptions } = options
  const listener = nodeListener(mountedApi(gate), {
    logger,
    'fw.http.overload.enabled': false,
    'fw.shutdown.timeout': '1s',
    ...listenerOptions,
  })
  try {
    return await withHttpServer(
      (request, response) => call(listener, request, response),
      ({ url }) => use({ url, listener, lines }),
    )
  } finally {
    await listener.close()
  }
}
