/** `conditional`: preconditions that are evaluated before the handler runs (RFC 9110, 13.2). */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  cache,
  conditional,
  del,
  fails,
  get,
  handle,
  int,
  json,
  needs,
  noContent,
  notFound,
  path,
  produces,
  provide,
  put,
  responds,
  routes,
  slot,
  string,
  text,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const day = 'Sun, 06 Nov 1994 08:49:37 GMT'
const earlier = 'Sun, 06 Nov 1994 08:49:36 GMT'
const changedAt = new Date('1994-11-06T08:49:37.999Z')

interface Note {
  readonly text: string
  readonly version: number
}
const Notes = slot<Map<number, Note>>()('notes')

const createApi = () => {
  const notes = new Map<number, Note>([[1, { text: 'buy milk', version: 1 }]])
  const calls = { handler: 0 }
  const note = pipe(path('/notes/{id}', { id: int }), needs({ notes: Notes }))
  const versionOf = (input: {
    readonly path: { readonly id: number }
    readonly needs: { readonly notes: Map<number, Note> }
  }) => {
    const found = input.needs.notes.get(input.path.id)
    return found === undefined ? undefined : `v${found.version}`
  }
  const tree = routes({
    read: pipe(
      note,
      get(),
      produces(text, json(string)),
      cache({ maxAge: 60 }),
      fails(404),
      conditional({
        etag: versionOf,
        lastModified: async (input) =>
          input.needs.notes.has(input.path.id) ? changedAt : undefined,
      }),
      handle((input) => {
        calls.handler++
        return input.needs.notes.get(input.path.id)?.text ?? notFound()
      }),
    ),
    replace: pipe(
      note,
      put(),
      body(text),
      produces(text),
      responds(201),
      conditional({ etag: async (input) => versionOf(input) }),
      handle((input) => {
        calls.handler++
        const { id } = input.path
        const version = (input.needs.notes.get(id)?.version ?? 0) + 1
        input.needs.notes.set(id, { text: input.body, version })
        return version === 1 ? { ...noContent, status: 201 as const } : input.body
      }),
    ),
    remove: pipe(
      note,
      del(),
      conditional({ lastModified: () => async () => changedAt }),
      handle(() => undefined),
    ),
    calls: pipe(
      path('/calls'),
      get(),
      produces(int),
      handle(() => calls.handler),
    ),
  })
  return pipe(tree, provide({ notes }))
}

/** Returns the validators and the other headers that conditional requests affect. */
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(
    ['etag', 'last-modified', 'cache-control', 'vary', 'content-type'].flatMap((name) =>
      headers.has(name) ? [[name, headers.get(name)]] : [],
    ),
  )

const ofProblems = { 'cache-control': 'no-store', 'content-type': 'application/problem+json' }

contract('conditional operations', createApi, (test, call) => {
  const send = (line: string, headers: Record<string, string> = {}) =>
    sendRequest(call, line, { headers })
  const put_ = (target: string, headers: Record<string, string>) =>
    sendRequest(call, `PUT ${target}`, {
      headers: { 'Content-Type': 'text/plain', ...headers },
      body: 'buy tea',
    })
  const handlerCalls = async () => Number(await (await send('GET /calls')).text())

  for (const [method, content] of [
    ['GET', 'buy milk'],
    ['HEAD', ''],
  ] as const) {
    test(`${method} returns 200 with ETag and Last-Modified`, async () => {
      const response = await send(`${method} /notes/1`)
      assert.equal([response.status, await response.text()], [200, content])
      assert.equal(headersOf(response), {
        etag: '"v1"',
        'last-modified': day,
        'cache-control': 'max-age=60',
        vary: 'Accept',
        'content-type': 'text/plain;charset=UTF-8',
      })
    })
    test(`${method} with a matching If-None-Match returns 304 and does not run the handler`, async () => {
      const before = await handlerCalls()
      const response = await send(`${method} /notes/1`, { 'If-None-Match': '"v1"' })
      assert.equal([response.status, await response.text()], [304, ''])
      assert.equal(headersOf(response), {
        etag: '"v1"',
        'cache-control': 'max-age=60',
        vary: 'Accept',
      })
      assert.is(await handlerCalls(), before)
    })
  }
  table(
    test,
    [
      ['If-Modified-Since: the date', { 'If-Modified-Since': day }, 304],
      ['If-Modified-Since: an earlier date', { 'If-Modified-Since': earlier }, 200],
      ['If-Unmodified-Since: the date', { 'If-Unmodified-Since': day }, 200],
      ['If-Unmodified-Since: an earlier date', { 'If-Unmodified-Since': earlier }, 412],
      ['If-Match: the ETag', { 'If-Match': '"v1"' }, 200],
      ['If-Match: another ETag', { 'If-Match': '"v0"' }, 412],
      ['If-Match: *', { 'If-Match': '*' }, 200],
      ['If-None-Match: *', { 'If-None-Match': '*' }, 304],
      [
        'If-None-Match: another ETag, which takes precedence over the date',
        { 'If-None-Match': '"v0"', 'If-Modified-Since': day },
        200,
      ],
    ] as const,
    async (_, headers, status) => assert.is((await send('GET /notes/1', headers)).status, status),
  )
  test('a 412 has the current validators and a problem document', async () => {
    const response = await send('GET /notes/1', { 'If-Match': '"v0"' })
    const { status, title } = (await response.json()) as Record<string, unknown>
    assert.equal([response.status, status, title], [412, 412, 'Precondition Failed'])
    assert.equal(headersOf(response), {
      etag: '"v1"',
      'last-modified': day,
      ...ofProblems,
    })
  })
  test('GET of a missing resource runs the handler regardless of preconditions', async () => {
    for (const headers of [{}, { 'If-Match': '"v1"' }, { 'If-None-Match': '*' }]) {
      const response = await send('GET /notes/9', headers)
      assert.equal([response.status, headersOf(response)], [404, { vary: 'Accept' }])
    }
  })
  test('an invalid path parameter is rejected before preconditions are evaluated', async () => {
    assert.is((await send('GET /notes/x', { 'If-Match': '"v0"' })).status, 404)
  })

  test('PUT with an outdated If-Match returns 412 with the current ETag and changes nothing', async () => {
    const changed = await put_('/notes/1', { 'If-Match': '"v1"' })
    assert.equal([changed.status, changed.headers.get('etag')], [200, null])
    const before = await handlerCalls()
    const second = await put_('/notes/1', { 'If-Match': '"v1"' })
    assert.is(second.status, 412)
    assert.equal(headersOf(second), { etag: '"v2"', ...ofProblems })
    assert.is(await handlerCalls(), before)
    assert.is((await send('GET /notes/1')).headers.get('etag'), '"v2"')
  })
  test('PUT with a matching If-None-Match returns 412', async () => {
    assert.is((await put_('/notes/1', { 'If-None-Match': '*' })).status, 412)
  })
  test('PUT of a missing resource evaluates If-Match and If-None-Match', async () => {
    const failed = await put_('/notes/2', { 'If-Match': '*' })
    assert.equal([failed.status, headersOf(failed)], [412, ofProblems])
    assert.is((await put_('/notes/2', { 'If-None-Match': '*' })).status, 201)
    assert.is((await put_('/notes/2', { 'If-None-Match': '*' })).status, 412)
  })
  test('DELETE evaluates If-Unmodified-Since, and its 204 has no validators', async () => {
    const removed = await send('DELETE /notes/1', { 'If-Unmodified-Since': day })
    assert.equal([removed.status, headersOf(removed)], [204, {}])
    const failed = await send('DELETE /notes/1', { 'If-Unmodified-Since': earlier })
    assert.equal([failed.status, headersOf(failed)], [412, { 'last-modified': day, ...ofProblems }])
  })
})
