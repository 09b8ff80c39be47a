/** The server that the tools send requests to, over TLS and without. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  body,
  byteStream,
  get,
  handle,
  html,
  path,
  post,
  produces,
  routes,
  sse,
  string,
  text,
} from '../../dist/src/index.js'
import { serve } from '../../dist/src/node.js'

const page = `<!doctype html><title>HTTP/2</title><link rel="icon" href="data:,">`

const api = routes({
  root: pipe(
    path('/'),
    get(),
    produces(text),
    handle(() => 'Hello'),
  ),
  posted: pipe(
    path('/'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      let size = 0
      for await (const chunk of chunks) size += chunk.length
      return String(size)
    }),
  ),
  // for h2spec, whose cases for open streams fail if the response arrives before the next frame
  delayed: pipe(
    path('/delayed'),
    get(),
    produces(text),
    handle(async () => {
      await wait(100)
      return 'Hello'
    }),
  ),
  received: pipe(
    path('/delayed'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      for await (const _ of chunks);
      await wait(100)
      return 'Hello'
    }),
  ),
  page: pipe(
    path('/page'),
    get(),
    produces(html),
    handle(() => page),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle(({ body: chunks }) => chunks),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'x'.repeat(4_000_000)),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(string)),
    handle(async function* () {
      for (const event of ['one', 'two', 'three']) yield event
    }),
  ),
})

/** Creates a certificate for `localhost` that is its own authority. */
export const createCertificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-http2-'))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'pipe' },
  )
  return { folder, certificate, key }
}

/** Starts the server on free loopback ports. */
export const startServer = async () => {
  const { folder, certificate, key } = createCertificate()
  const ignore = () => undefined
  const server = await serve(api, {
    logger: {
      trace: ignore,
      debug: ignore,
      info: ignore,
      warn: console.warn,
      error: console.error,
    },
    signals: false,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.ssl-port': 0,
    'fw.http.ssl.certificate.files': certificate,
    'fw.http.ssl.certificate.key-files': key,
    'fw.http.http2': true,
    'fw.http.http2-clear-text': true,
    'fw.http.overload.enabled': false,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': '1s',
  })
  const port = (scheme) =>
    Number(new URL(server.urls.find((url) => url.startsWith(`${scheme}:`)) ?? '').port)
  return {
    folder,
    certificate,
    tlsPort: port('https'),
    clearPort: port('http'),
    close: () => server.close(),
  }
}
