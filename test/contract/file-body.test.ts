/** The whole body in a file. */
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { FileBody } from '../../src/index.ts'
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
} from '../../src/index.ts'
import * as t from 'io-ts'
import { compile } from '../../src/interpreter/program.ts'
import { describe, table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const most = 100_000

/** The paths of the files that handlers were given. */
const seen: string[] = []

const told = ({ path: file, size, contentType }: FileBody): string => {
  seen.push(file)
  return `${size} ${contentType} ${readFileSync(file, 'latin1').slice(0, 10)}`
}

async function* broken() {
  yield new Uint8Array(10)
  await wait(5)
  throw new Error('broken')
}

const api = routes({
  any: pipe(
    path('/any'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => told(input.body)),
  ),
  image: pipe(
    path('/image'),
    post(),
    body(as('image/*')(fileBody)),
    produces(text),
    handle((input) => told(input.body)),
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
      let octets = 0
      for await (const piece of input.body) octets += piece.length
      return `${octets}`
    }),
  ),
  either: pipe(
    path('/either'),
    post(),
    body(json(t.type({ a: t.number })), fileBody),
    produces(text),
    handle((input) => ('a' in input.body ? `a ${input.body.a}` : told(input.body))),
  ),
  fails: pipe(
    path('/fails'),
    post(),
    body(fileBody),
    produces(text),
    handle((input): string => {
      told(input.body)
      throw new Conflict('too early')
    }),
  ),
  breaks: pipe(
    path('/breaks'),
    post(),
    body(fileBody),
    produces(byteStream),
    handle((input) => {
      told(input.body)
      return broken()
    }),
  ),
  gone: pipe(
    path('/gone'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => {
      const file = input.body.path
      rmSync(file)
      seen.push(file)
      return 'gone'
    }),
  ),
})

const directory = mkdtempSync(join(tmpdir(), 'espalier-file-body-'))
const files = (): ReadonlyArray<string> => (existsSync(directory) ? readdirSync(directory) : [])
const untilNone = async (): Promise<void> => {
  for (let turn = 0; files().length > 0; turn++) {
    assert.ok(turn < 200, 'a file is left')
    await wait(5)
  }
}

const sending = (to: string, content: string, type?: string): Request =>
  new Request(`${base}${to}`, {
    method: 'POST',
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(content),
  })

const settings = {
  'fw.http.body.uploads-directory': directory,
  'fw.http.limits.max-body-size': most,
}

contract(
  'a body in a file',
  api,
  (test, call) => {
    table<readonly [string, to: string, content: string, type: string | undefined, said: string]>(
      test,
      [
        [
          'of any media type',
          '/any',
          'abc',
          'text/csv;header=present',
          '3 text/csv;header=present abc',
        ],
        ['without Content-Type', '/any', 'abc', undefined, '3 application/octet-stream abc'],
        ['without octets', '/any', '', 'text/csv', '0 text/csv '],
        ['up to the limit', '/any', 'x'.repeat(most), 'a/b', `${most} a/b xxxxxxxxxx`],
        ['of a range', '/image', 'abc', 'image/png', '3 image/png abc'],
        ['beside others', '/either', '{"a":1}', 'application/json', 'a 1'],
        ['where others do not fit', '/either', '{"a":1}', 'a/b', '7 a/b {"a":1}'],
        ['bytes of a range', '/image-bytes', 'abc', 'image/gif', '3'],
        ['a stream of a range', '/image-stream', 'abc', 'image/gif', '3'],
      ],
      async (_, to, content, type, said) => {
        seen.length = 0
        const response = await call(sending(to, content, type))
        assert.equal([response.status, await response.text()], [200, said])
        await untilNone()
        for (const file of seen) assert.is(dirname(file), directory)
      },
    )
    table<readonly [string, to: string, content: string, type: string, status: number]>(
      test,
      [
        ['another media type', '/image', 'abc', 'text/plain', 415],
        ['another media type for bytes', '/image-bytes', 'abc', 'text/plain', 415],
        ['a malformed media type', '/any', 'abc', 'text', 415],
        ['one octet more than the limit', '/any', 'x'.repeat(most + 1), 'a/b', 413],
        ['a handler that fails', '/fails', 'abc', 'a/b', 409],
        ['a handler that takes it away', '/gone', 'abc', 'a/b', 200],
      ],
      async (_, to, content, type, status) => {
        const response = await call(sending(to, content, type))
        assert.is(response.status, status)
        await response.arrayBuffer()
        await untilNone()
      },
    )
    test('is deleted when the answer breaks off', async () => {
      const response = await call(sending('/breaks', 'abc'))
      assert.is(response.status, 200)
      await response.arrayBuffer().then(
        () => assert.unreachable('it was whole'),
        () => undefined,
      )
      await untilNone()
    })
    test('is there for the owner alone while the request runs, and no longer', async () => {
      seen.length = 0
      const response = await call(sending('/breaks', 'abc'))
      const [file = ''] = seen
      assert.is(statSync(file).mode & 0o777, 0o600)
      await response.body?.cancel()
      await untilNone()
    })
  },
  settings,
)

contract(
  'a body in a file that is kept',
  api,
  (test, call) => {
    test('stays when it is whole', async () => {
      seen.length = 0
      assert.is((await call(sending('/any', 'abc'))).status, 200)
      assert.is((await call(sending('/fails', 'def'))).status, 409)
      await wait(20)
      assert.equal(
        seen.map((file) => readFileSync(file, 'utf8')),
        ['abc', 'def'],
      )
      for (const file of seen) rmSync(file)
    })
    test('does not stay when it is not', async () => {
      assert.is((await call(sending('/any', 'x'.repeat(most + 1)))).status, 413)
      await untilNone()
    })
  },
  { ...settings, 'fw.http.body.delete-uploaded-files-on-end': false },
)

describe('fileBody', (test, { after }) => {
  after(() => rmSync(directory, { recursive: true, force: true }))
  test('cannot be produced', () =>
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
      /is only received, so it cannot be sent/,
    ))
})
