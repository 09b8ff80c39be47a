/** `multipartInput` and `multipartStream`: all parts of a form at once, or one after another. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { FormValue } from '../../../src/index.ts'
import {
  body,
  handle,
  json,
  multipartInput,
  multipartStream,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'

/** Whether `read` throws a `TypeError`. */
const throws = (read: () => unknown): boolean => {
  try {
    read()
    return false
  } catch (error) {
    return error instanceof TypeError
  }
}

/** Converts a form value to JSON. */
const toJson = async (value: FormValue): Promise<unknown> => {
  const { isFileItem, charset = null, fileName = null } = value
  if (!isFileItem)
    return { value: value.value, charset, fileName, item: throws(() => value.fileItem) }
  const { fileItem } = value
  const { isInMemory, size } = fileItem
  const content = Buffer.from(await fileItem.read()).toString('latin1')
  const stored = isInMemory ? throws(() => fileItem.path) : readFileSync(fileItem.path, 'latin1')
  return {
    fileName,
    charset,
    isInMemory,
    size,
    content,
    path: stored,
    value: throws(() => value.value),
  }
}

const target = join(mkdtempSync(join(tmpdir(), 'espalier-')), 'kept')

const operations = routes({
  all: pipe(
    path('/all'),
    post(),
    body(multipartInput),
    produces(json(t.unknown)),
    handle(async ({ body: { values } }) =>
      Object.fromEntries(
        await Promise.all(
          [...values].map(async ([name, parts]) => [name, await Promise.all(parts.map(toJson))]),
        ),
      ),
    ),
  ),
  headers: pipe(
    path('/headers'),
    post(),
    body(multipartInput),
    produces(json(t.unknown)),
    handle(({ body: { values } }) => [...values.values()].flat().map(({ headers }) => headers)),
  ),
  keep: pipe(
    path('/keep'),
    post(),
    body(multipartInput),
    produces(text),
    handle(async ({ body: { values } }) => {
      const item = values.get('f')?.[0]?.fileItem
      const before = item?.isInMemory === false ? item.path : undefined
      await item?.write(target)
      const remains = before !== undefined && existsSync(before)
      const secondRead = await item?.read().then(
        () => 'read',
        () => 'moved',
      )
      const other = values.get('g')?.[0]?.fileItem
      await other?.delete()
      await other?.delete()
      return `${readFileSync(target, 'utf8')} ${remains} ${secondRead}`
    }),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(json(t.unknown)),
    handle(async (input) => {
      const parts: unknown[] = []
      for await (const { name, fileName, contentType, charset, content, headers } of input.body) {
        let size = 0
        if (name !== 'skipped') for await (const chunk of content) size += chunk.length
        parts.push([name, fileName ?? null, contentType ?? null, charset ?? null, size])
        assert.ok(headers.length >= 2)
      }
      return parts
    }),
  ),
  first: pipe(
    path('/first'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      for await (const { name } of input.body) return name
      return 'no part'
    }),
  ),
  unread: pipe(
    path('/unread'),
    post(),
    body(multipartStream),
    produces(text),
    handle(() => 'not read'),
  ),
})

const allParts = encodeMultipart(
  encodePart('a', 'one'),
  encodePart('b', '<svg/>', { fileName: '../x/a.svg', type: 'image/svg+xml' }),
  encodePart('a', 'two', { type: 'application/json;charset=UTF-8' }),
  encodePart('c', '\0\x01\u{ff}', { type: 'application/octet-stream' }),
)
const large = 'x'.repeat(300_000)

contract('multipart bodies', operations, (test, call) => {
  test('all parts are received in order', async () => {
    const response = await call(multipartRequest('/all', Buffer.from(allParts, 'latin1')))
    assert.equal(await response.json(), {
      a: [
        { value: 'one', charset: null, fileName: null, item: true },
        { value: 'two', charset: 'utf-8', fileName: null, item: true },
      ],
      b: [
        {
          fileName: 'a.svg',
          charset: null,
          isInMemory: false,
          size: 6,
          content: '<svg/>',
          path: '<svg/>',
          value: true,
        },
      ],
      c: [
        {
          fileName: null,
          charset: null,
          isInMemory: true,
          size: 3,
          content: '\0\x01\u{ff}',
          path: true,
          value: true,
        },
      ],
    })
  })
  test('a form without parts is an empty map, and a missing boundary returns 400', async () => {
    assert.equal(await (await call(multipartRequest('/all', encodeMultipart()))).json(), {})
    assert.is(
      (await call(multipartRequest('/all', encodeMultipart(), 'multipart/form-data'))).status,
      400,
    )
  })
  test('the headers of each part are available', async () => {
    const part =
      'Content-Disposition: form-data; name=a\r\nExtra: one\r\n two\r\nextra: \u{e9}\r\n\r\n'
    assert.equal(await (await call(multipartRequest('/headers', encodeMultipart(part)))).json(), [
      ['Content-Disposition', 'form-data; name=a', 'Extra', 'one two', 'extra', '\u{e9}'],
    ])
  })
  test('a file can be moved or deleted', async () => {
    const content = encodeMultipart(
      encodePart('f', 'kept', { fileName: 'f' }),
      encodePart('g', 'x', { fileName: 'g' }),
    )
    assert.is(await (await call(multipartRequest('/keep', content))).text(), 'kept false moved')
    assert.is(readFileSync(target, 'utf8'), 'kept')
    // A part in memory.
    const other = encodeMultipart(encodePart('f', 'memory', { type: 'application/octet-stream' }))
    assert.is(await (await call(multipartRequest('/keep', other))).text(), 'memory false moved')
    rmSync(target)
  })
  test('parts are streamed in order, and some can be skipped', async () => {
    const response = await call(
      multipartRequest(
        '/stream',
        encodeMultipart(
          encodePart('a', large, { fileName: 'a.bin', type: 'application/octet-stream' }),
          encodePart('skipped', large, { fileName: 'b.bin' }),
          encodePart('c', 'last', { type: 'text/plain; charset=utf-8' }),
        ),
      ),
    )
    assert.equal(await response.json(), [
      ['a', 'a.bin', 'application/octet-stream', null, 300_000],
      ['skipped', 'b.bin', null, null, 0],
      ['c', null, 'text/plain; charset=utf-8', 'utf-8', 4],
    ])
  })
  test('unread parts do not affect the response', async () => {
    const content = encodeMultipart(
      encodePart('a', large, { fileName: 'a' }),
      encodePart('b', large, { fileName: 'b' }),
    )
    assert.is(await (await call(multipartRequest('/first', content))).text(), 'a')
    assert.is(await (await call(multipartRequest('/unread', content))).text(), 'not read')
  })
  test('a malformed or too large part returns 400 or 413 if it is read', async () => {
    assert.is((await call(multipartRequest('/stream', allParts.slice(0, -10)))).status, 400)
    assert.is(
      (await call(multipartRequest('/stream', allParts, 'multipart/form-data'))).status,
      400,
    )
    assert.is(
      (await call(multipartRequest('/stream', encodeMultipart(encodePart('a', 'x'.repeat(2049))))))
        .status,
      413,
    )
  })
})

contract(
  'multipart bodies with a file size threshold',
  operations,
  (test, call) => {
    const inMemory = async (content: string): Promise<unknown> => {
      const response = await call(
        multipartRequest('/all', encodeMultipart(encodePart('f', content, { fileName: 'f' }))),
      )
      const { f } = (await response.json()) as { f: ReadonlyArray<{ isInMemory: boolean }> }
      return f[0]?.isInMemory
    }
    test('files up to the threshold are held in memory', async () => {
      assert.equal(await Promise.all(['', 'abc', 'abcd', 'abcde', large].map(inMemory)), [
        true,
        true,
        true,
        false,
        false,
      ])
    })
  },
  { 'fw.http.body.multipart.file-size-threshold': 4 },
)

contract(
  'multipart bodies with configured media types of files',
  operations,
  (test, call) => {
    test('a part with a configured media type is a file', async () => {
      const content = encodeMultipart(
        encodePart('f', 'a', { type: 'text/csv' }),
        encodePart('f', 'b', { type: 'image/png' }),
        encodePart('f', 'c', { type: 'text/plain' }),
      )
      const response = await call(multipartRequest('/all', content))
      const { f } = (await response.json()) as { f: ReadonlyArray<{ isInMemory?: boolean }> }
      assert.equal(
        f.map(({ isInMemory }) => isInMemory),
        [false, false, undefined],
      )
    })
  },
  { 'fw.http.body.multipart.file-content-types': 'text/csv, image/*' },
)
