/** Redirects of large bodies, for operations that declare no redirect: bodies that can be sent again are, streams are not. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client, followRedirects } from '../../../src/client.ts'
import type { Policy } from '../../../src/client.ts'
import {
  body,
  byteStream,
  fileBody,
  form,
  path,
  post,
  produces,
  routes,
  string,
  text,
  upload,
} from '../../../src/index.ts'
import { errorIn, right } from '../../support/clients.ts'
import { describe } from '../../support/describe.ts'
import type { OpenTransport, Responder } from './scripted-service.ts'
import { transports, withService } from './scripted-service.ts'

const operations = routes({
  file: pipe(path('/old'), post(), body(fileBody), produces(text)),
  form: pipe(path('/old'), post(), form({ title: string, cover: upload }), produces(text)),
  stream: pipe(path('/old'), post(), body(byteStream), produces(text)),
})

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('Emma')
}

/** Redirects the first request, and returns the method and the body of the others. */
const redirects =
  (status: number): Responder =>
  (response, { method, body: received }, number) =>
    number === 0
      ? void response.writeHead(status, { Location: '/new' }).end()
      : void response.writeHead(200, { 'Content-Type': 'text/plain' }).end(`${method} ${received}`)

const callsOf = (
  baseUrl: string,
  transport: OpenTransport['passage'],
  policies: ReadonlyArray<Policy>,
) => client(operations, { baseUrl, transport, policies })

/** Calls operations of a service that redirects with a status. `use` returns the expected number of requests. */
const withClient = async (
  open: () => OpenTransport,
  status: number,
  policies: ReadonlyArray<Policy>,
  use: (calls: ReturnType<typeof callsOf>) => Promise<number>,
): Promise<void> => {
  const transport = open()
  await withService(redirects(status), async ({ url, seen }) =>
    assert.is(await use(callsOf(url, transport.passage, policies)), seen.length),
  )
  await transport.close()
}

const all = [followRedirects({ methods: ['POST'] })]
const file = { body: new Blob(['Emma']) }

for (const [name, open] of transports)
  describe(`redirects of uploads over ${name}`, (test) => {
    for (const status of [307, 308])
      test(`a file is sent again after ${status}`, () =>
        withClient(open, status, all, async (calls) => {
          const { body: received, url } = await right(calls.file(file))
          assert.equal([received, new URL(url).pathname], ['POST Emma', '/new'])
          return 2
        }))
    test('a form is sent again', () =>
      withClient(open, 307, all, async (calls) => {
        const sent = { form: { title: 'Emma', cover: new Blob(['png']) } }
        const { body: received } = await right(calls.form(sent))
        assert.match(received, /^POST [^]*name="title"[^]*Emma[^]*name="cover"[^]*png/)
        return 2
      }))
    test('a file is not sent again after 303', () =>
      withClient(open, 303, all, async (calls) => {
        assert.is((await right(calls.file(file))).body, 'GET ')
        return 2
      }))
    test('a stream is not sent again', () =>
      withClient(open, 307, all, async (calls) => {
        const error = await errorIn(calls.stream({ body: chunks() }))
        assert.is(error._tag, name === 'fetch' ? 'NetworkError' : 'UndeclaredStatus')
        return 1
      }))
    test('without the policy, a file is not sent again', () =>
      withClient(open, 307, [], async (calls) => {
        const error = await errorIn(calls.file(file))
        assert.is(error._tag, name === 'fetch' ? 'NetworkError' : 'UndeclaredStatus')
        return 1
      }))
    test('a policy for GET does not send a file again', () =>
      withClient(open, 307, [followRedirects()], async (calls) => {
        const error = await errorIn(calls.file(file))
        assert.is(error._tag, name === 'fetch' ? 'NetworkError' : 'UndeclaredStatus')
        return 1
      }))
    test('a redirect beyond max is an undeclared status', () =>
      withClient(open, 307, [followRedirects({ methods: ['POST'], max: 0 })], async (calls) => {
        const error = await errorIn(calls.file(file))
        assert.ok(error._tag === 'UndeclaredStatus')
        assert.equal([error.status, error.headers.get('Location')], [307, '/new'])
        return 1
      }))
  })
