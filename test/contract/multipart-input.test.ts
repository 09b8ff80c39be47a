/** All parts of a multipart form: at once, or one after another. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { FormValue } from '../../src/index.ts'
import {
  body,
  form,
  handle,
  json,
  multipartInput,
  multipartStream,
  path,
  post,
  produces,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'

const raises = (ask: () => unknown): boolean => {
  try {
    ask()
    return false
  } catch (error) {
    return error instanceof TypeError
  }
}

const shown = async (value: FormValue): Promise<unknown> => {
  const { isFileItem, charset = null, fileName = null } = value
  if (!isFileItem)
    return { value: value.value, charset, fileName, item: raises(() => value.fileItem) }
  const { fileItem } = value
  const { isInMemory, size } = fileItem
  const content = Buffer.from(await fileItem.read()).toString('latin1')
  const has = isInMemory ? raises(() => fileItem.path) : readFileSync(fileItem.path, 'latin1')
  return {
    fileName,
    charset,
    isInMemory,
    size,
    content,
    path: has,
    value: raises(() => value.value),
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
          [...values].map(async ([name, parts]) => [name, await Promise.all(parts.map(shown))]),
        ),
      ),
    ),
  ),
  field: pipe(
    path('/field'),
    post(),
    form({ a: string }),
    produces(text),
    handle((input) => input.form.a),
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
      const left = before !== undefined && existsSync(before)
      const again = await item?.read().then(
        () => 'read',
        () => 'gone',
      )
      const other = values.get('g')?.[0]?.fileItem
      await other?.delete()
      await other?.delete()
      return `${readFileSync(target, 'utf8')} ${left} ${again}`
    }),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(json(t.unknown)),
    handle(async (input) => {
      const told: unknown[] = []
      for await (const { name, fileName, contentType, charset, content, headers } of input.body) {
        let octets = 0
        if (name !== 'skipped') for await (const piece of content) octets += piece.length
        told.push([name, fileName ?? null, contentType ?? null, charset ?? null, octets])
        assert.ok(headers.length >= 2)
      }
      return told
    }),
  ),
  first: pipe(
    path('/first'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      for await (const { name } of input.body) return name
      return 'nothing'
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

const sent = formOf(
  field('a', 'one'),
  field('b', '<svg/>', { fileName: '../x/a.svg', type: 'image/svg+xml' }),
  field('a', 'two', { type: 'application/json;charset=UTF-8' }),
  field('c', '\0\x01\u{ff}', { type: 'application/octet-stream' }),
)
const large = 'x'.repeat(300_000)

contract('multipart input', operations, (test, call) => {
  test('all parts, in order', async () => {
    const response = await call(send('/all', Buffer.from(sent, 'latin1')))
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
  test('a form without parts is an empty map, one without a boundary is refused', async () => {
    assert.equal(await (await call(send('/all', formOf()))).json(), {})
    assert.is((await call(send('/all', formOf(), 'multipart/form-data'))).status, 400)
  })
  test('the fields of each part', async () => {
    const part =
      'Content-Disposition: form-data; name=a\r\nExtra: one\r\n two\r\nextra: \u{e9}\r\n\r\n'
    assert.equal(await (await call(send('/headers', formOf(part)))).json(), [
      ['Content-Disposition', 'form-data; name=a', 'Extra', 'one two', 'extra', '\u{e9}'],
    ])
  })
  test('a file is moved, another deleted', async () => {
    const content = formOf(
      field('f', 'kept', { fileName: 'f' }),
      field('g', 'x', { fileName: 'g' }),
    )
    assert.is(await (await call(send('/keep', content))).text(), 'kept false gone')
    assert.is(readFileSync(target, 'utf8'), 'kept')
    // one in memory too
    const other = formOf(field('f', 'octets', { type: 'application/octet-stream' }))
    assert.is(await (await call(send('/keep', other))).text(), 'octets false gone')
    rmSync(target)
  })
  test('parts one after another, of which some are skipped', async () => {
    const response = await call(
      send(
        '/stream',
        formOf(
          field('a', large, { fileName: 'a.bin', type: 'application/octet-stream' }),
          field('skipped', large, { fileName: 'b.bin' }),
          field('c', 'last', { type: 'text/plain; charset=utf-8' }),
        ),
      ),
    )
    assert.equal(await response.json(), [
      ['a', 'a.bin', 'application/octet-stream', null, 300_000],
      ['skipped', 'b.bin', null, null, 0],
      ['c', null, 'text/plain; charset=utf-8', 'utf-8', 4],
    ])
  })
  test('parts that nobody asks for', async () => {
    const content = formOf(
      field('a', large, { fileName: 'a' }),
      field('b', large, { fileName: 'b' }),
    )
    assert.is(await (await call(send('/first', content))).text(), 'a')
    assert.is(await (await call(send('/unread', content))).text(), 'not read')
  })
  test('what is malformed shows where it is read', async () => {
    assert.is((await call(send('/stream', sent.slice(0, -10)))).status, 400)
    assert.is((await call(send('/stream', sent, 'multipart/form-data'))).status, 400)
    assert.is((await call(send('/stream', formOf(field('a', 'x'.repeat(2049)))))).status, 413)
  })
})

contract(
  'multipart input, with small files in memory',
  operations,
  (test, call) => {
    const inMemory = async (content: string): Promise<unknown> => {
      const response = await call(send('/all', formOf(field('f', content, { fileName: 'f' }))))
      const { f } = (await response.json()) as { f: ReadonlyArray<{ isInMemory: boolean }> }
      return f[0]?.isInMemory
    }
    test('up to the threshold', async () => {
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
  'multipart input, with media types of files',
  operations,
  (test, call) => {
    test('a part is a file by its media type', async () => {
      const content = formOf(
        field('f', 'a', { type: 'text/csv' }),
        field('f', 'b', { type: 'image/png' }),
        field('f', 'c', { type: 'text/plain' }),
      )
      const response = await call(send('/all', content))
      const { f } = (await response.json()) as { f: ReadonlyArray<{ isInMemory?: boolean }> }
      assert.equal(
        f.map(({ isInMemory }) => isInMemory),
        [false, false, undefined],
      )
    })
  },
  { 'fw.http.body.multipart.file-content-types': 'text/csv, image/*' },
)

contract(
  'multipart input, with another charset',
  operations,
  (test, call) => {
    test('the charset of parts that state none', async () => {
      const content = formOf(
        field('a', '\u{e9}'),
        field('b', '\u{c3}\u{a9}', { type: 'text/plain;charset=utf-8' }),
      )
      const response = await call(send('/all', Buffer.from(content, 'latin1')))
      const { a, b } = (await response.json()) as Record<string, ReadonlyArray<{ value: string }>>
      assert.equal([a?.[0]?.value, b?.[0]?.value], ['é', 'é'])
    })
    test('is that of fields too', async () => {
      const content = Buffer.from(formOf(field('a', '\u{e9}')), 'latin1')
      assert.is(await (await call(send('/field', content))).text(), 'é')
    })
  },
  { 'fw.rest.multipart.input-part.default-charset': 'ISO-8859-1' },
)
