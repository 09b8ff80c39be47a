/** Request bodies stored in a file: media types, limits, and deletion of the file. */
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import type { FileBody } from '../../../src/index.ts'
import {
  Conflict,
  as,
  body,
  byteStream,
  bytes,
  fileBody,
  handle,
  json,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import * as t from 'io-ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describe, table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const limit = 100_000

/** Paths of the files that handlers received. */
const received: string[] = []

const describeFile = ({ path: file, size, contentType }: FileBody): string => {
  received.push(file)
  return `${size} ${contentType} ${readFileSync(file, 'latin1').slice(0, 10)}`
}

async function* broken() {
  yield new Uint8Array(10)
  await turns()
  throw new Error('broken')
}

const api = routes({
  any: pipe(
    path('/any'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => describeFile(input.body)),
  ),
  image: pipe(
    path('/image'),
    post(),
    body(as('image/*')(fileBody)),
    produces(text),
    handle((input) => describeFile(input.body)),
  ),
  imageBytes: pipe(
    path('/image-bytes'),
    post(),
    body(as('image/*')(bytes)),
    produces(text),
    handle((input) => `${input.body.length}`),
  ),
  imageStream: pipe(
    path('/image-stream'),
    post(),
    body(as('image/*')(byteStream)),
    produces(text),
    handle(async (input) => {
      let total = 0
      for await (const chunk of input.body) total += chunk.length
      return `${total}`
    }),
  ),
  either: pipe(
    path('/either'),
    post(),
    body(json(t.type({ a: t.number })), fileBody),
    produces(text),
    handle((input) => ('a' in input.body ? `a ${input.body.a}` : describeFile(input.body))),
  ),
  fails: pipe(
    path('/fails'),
    post(),
    body(fileBody),
    produces(text),
    handle((input): string => {
      describeFile(input.body)
      throw new Conflict('too early')
    }),
  ),
  breaks: pipe(
    path('/breaks'),
    post(),
    body(fileBody),
    produces(byteStream),
    handle((input) => {
      describeFile(input.body)
      return broken()
    }),
  ),
  removed: pipe(
    path('/removed'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => {
      const file = input.body.path
      rmSync(file)
      received.push(file)
      return 'removed'
    }),
  ),
})

const directory = mkdtempSync(join(tmpdir(), 'espalier-file-body-'))
const files = (): ReadonlyArray<string> => (existsSync(directory) ? readdirSync(directory) : [])
const waitUntilDeleted = (): Promise<void> => waitUntil(() => files().length === 0)

const createRequest = (target: string, content: string, type?: string): Request =>
  new Request(`${base}${target}`, {
    method: 'POST',
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(content),
  })

const settings = {
  'fw.http.body.uploads-directory': directory,
  'fw.http.limits.max-body-size': limit,
}

contract(
  'file bodies',
  api,
  (test, call) => {
    table<
      readonly [
        name: string,
        target: string,
        content: string,
        type: string | undefined,
        expected: string,
      ]
    >(
      test,
      [
        [
          'a file of any media type',
          '/any',
          'abc',
          'text/csv;header=present',
          '3 text/csv;header=present abc',
        ],
        ['a file without Content-Type', '/any', 'abc', undefined, '3 application/octet-stream abc'],
        ['an empty file', '/any', '', 'text/csv', '0 text/csv '],
        ['a file at the limit', '/any', 'x'.repeat(limit), 'a/b', `${limit} a/b xxxxxxxxxx`],
        ['a media type within a declared range', '/image', 'abc', 'image/png', '3 image/png abc'],
        [
          'an alternative of another representation',
          '/either',
          '{"a":1}',
          'application/json',
          'a 1',
        ],
        [
          'a media type that no other alternative reads',
          '/either',
          '{"a":1}',
          'a/b',
          '7 a/b {"a":1}',
        ],
        ['bytes with a media type within a range', '/image-bytes', 'abc', 'image/gif', '3'],
        ['a stream with a media type within a range', '/image-stream', 'abc', 'image/gif', '3'],
      ],
      async (_, target, content, type, expected) => {
        received.length = 0
        const response = await call(createRequest(target, content, type))
        assert.equal([response.status, await response.text()], [200, expected])
        await waitUntilDeleted()
        for (const file of received) assert.is(dirname(file), directory)
      },
    )
    table<readonly [name: string, target: string, content: string, type: string, status: number]>(
      test,
      [
        ['an undeclared media type', '/image', 'abc', 'text/plain', 415],
        ['an undeclared media type for bytes', '/image-bytes', 'abc', 'text/plain', 415],
        ['a malformed media type', '/any', 'abc', 'text', 415],
        ['a file above the limit', '/any', 'x'.repeat(limit + 1), 'a/b', 413],
        ['a handler that fails', '/fails', 'abc', 'a/b', 409],
        ['a handler that deletes the file', '/removed', 'abc', 'a/b', 200],
      ],
      async (_, target, content, type, status) => {
        const response = await call(createRequest(target, content, type))
        assert.is(response.status, status)
        await response.arrayBuffer()
        await waitUntilDeleted()
      },
    )
    test('the file is deleted if the response is interrupted', async () => {
      const response = await call(createRequest('/breaks', 'abc'))
      assert.is(response.status, 200)
      await response.arrayBuffer().then(
        () => assert.unreachable('the response was complete'),
        () => undefined,
      )
      await waitUntilDeleted()
    })
    test('the file is readable by its owner only and is deleted when the request ends', async () => {
      received.length = 0
      const response = await call(createRequest('/breaks', 'abc'))
      const [file = ''] = received
      assert.is(statSync(file).mode & 0o777, 0o600)
      await response.body?.cancel()
      await waitUntilDeleted()
    })
  },
  settings,
)

contract(
  'file bodies that are kept',
  api,
  (test, call) => {
    test('a complete file is kept', async () => {
      received.length = 0
      assert.is((await call(createRequest('/any', 'abc'))).status, 200)
      assert.is((await call(createRequest('/fails', 'def'))).status, 409)
      await turns()
      assert.equal(
        received.map((file) => readFileSync(file, 'utf8')),
        ['abc', 'def'],
      )
      for (const file of received) rmSync(file)
    })
    test('an incomplete file is deleted', async () => {
      assert.is((await call(createRequest('/any', 'x'.repeat(limit + 1)))).status, 413)
      await waitUntilDeleted()
    })
  },
  { ...settings, 'fw.http.body.delete-uploaded-files-on-end': false },
)

describe('fileBody', (test, { after }) => {
  after(() => rmSync(directory, { recursive: true, force: true }))
  test('fileBody as a response representation is a configuration error', () =>
    assert.throws(
      () =>
        compile(
          routes({
            send: pipe(
              path('/'),
              post(),
              produces(fileBody),
              handle(() => ({ path: '', size: 0, contentType: '' })),
            ),
          }),
        ),
      /can only be received, not sent/,
    ))
})
