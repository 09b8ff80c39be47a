/** Operations that show what handlers know of a request. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  body,
  get,
  handle,
  ok,
  path,
  post,
  produces,
  routes,
  text,
  withHeader,
} from '../../../src/index.ts'
import * as Headers from '../../../src/http/headers.ts'
import { nodeRequest, nodeResponse } from '../../../src/node.ts'

export const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(text),
    handle((_, { uri, security, request }) =>
      [
        uri.request.href,
        security.secure,
        request.clientAddress,
        request.clientCertificate?.commonName ?? 'no certificate',
      ].join(' '),
    ),
  ),
  headers: pipe(
    path('/headers'),
    get(),
    produces(text),
    handle((_, { request }) =>
      ['host', 'cookie', 'x-list']
        .map((name) => `${name}: ${Headers.all(request.headers, name).join(' and ')}`)
        .join('\n'),
    ),
  ),
  node: pipe(
    path('/node'),
    get(),
    produces(text),
    handle((_, context) => `${typeof nodeRequest(context)} ${typeof nodeResponse(context)}`),
  ),
  connection: pipe(
    path('/connection'),
    get(),
    produces(text),
    handle(() =>
      pipe(
        ok('sent'),
        withHeader('Connection', 'close'),
        withHeader('Keep-Alive', 'timeout=5'),
        withHeader('Proxy-Connection', 'close'),
        withHeader('Upgrade', 'h2c'),
        withHeader('X-Kept', 'yes'),
      ),
    ),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle(({ body: sent }) => sent),
  ),
})
