/** Forms, lists of parts and files in requests. */
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { PartToSend } from '../../src/client.ts'
import type { FileUpload } from '../../src/index.ts'
import {
  allUploads,
  as,
  body,
  bytes,
  byteStream,
  file,
  filePart,
  form,
  formDataPart,
  handle,
  int,
  json,
  list,
  multipartInput,
  multipartStream,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  routes,
  separated,
  string,
  textStream,
  upload,
  uploads,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { called, errorIn, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')
const Told = json(t.array(t.string))

const told = async ({ name, fileName, contentType, path: at }: FileUpload): Promise<string> =>
  `${name} ${fileName} ${contentType} ${await readFile(at, 'latin1')}`

const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
const notes = join(folder, 'notes é.txt')
await writeFile(notes, 'one\ntwo\n')

const api = routes({
  send: pipe(
    path('/send'),
    post(),
    form({
      title: string,
      pages: optional(int),
      tag: list(string),
      size: separated(',')(list(int)),
      cover: upload,
      more: uploads,
      book: part(json(Book)),
      extra: optionalPart(part(xml(Book))),
      back: optionalPart(upload),
    }),
    produces(Told),
    handle(async ({ form: { title, pages, tag, size, cover, more, book, extra, back } }) => [
      JSON.stringify([title, pages, tag, size, book, extra]),
      await told(cover),
      ...(await Promise.all(more.map(told))),
      ...(back === undefined ? [] : [await told(back)]),
    ]),
  ),
  all: pipe(
    path('/all'),
    post(),
    form({ note: optional(string), files: allUploads }),
    produces(Told),
    handle(async ({ form: { note, files } }) => [
      String(note),
      ...(await Promise.all(files.map(told))),
    ]),
  ),
  input: pipe(
    path('/input'),
    post(),
    body(multipartInput),
    produces(Told),
    handle(async ({ body: { values } }) =>
      Promise.all(
        [...values].flatMap(([name, parts]) =>
          parts.map(async (one) => {
            const content = one.isFileItem
              ? Buffer.from(await one.fileItem.read()).toString('latin1')
              : one.value
            return `${name} ${one.fileName} ${one.headers.slice(2).join(': ')} ${content}`
          }),
        ),
      ),
    ),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(Told),
    handle(async ({ body: parts }) => {
      const all: string[] = []
      for await (const { name, content } of parts) {
        let octets = ''
        for await (const piece of content) octets += Buffer.from(piece).toString('latin1')
        all.push(`${name} ${octets}`)
      }
      return all
    }),
  ),
})

const blob = (content: string, type = ''): Blob => new Blob([content], { type })
const odd = 'é "\r\n%22\\/ü'

called('forms of files and structured parts', api, (test, calling) => {
  const usual = {
    title: 'a\nb\r\nc',
    tag: ['x', '€,'],
    size: [1, 2],
    cover: new File(['<svg/>'], 'emma.svg', { type: 'image/svg+xml' }),
    more: [],
    book: { title: 'Emma', pages: 474 },
  }
  test('files and text fields arrive unchanged', async () => {
    const { body: read } = await right(
      calling().send({
        form: {
          ...usual,
          pages: 7,
          more: [blob('a'), blob('\x00\r\n--', 'text/x')],
          extra: { title: '<&>', pages: 1 },
          back: new File(['\xe9'], odd),
        },
      }),
    )
    assert.equal(read, [
      '["a\\nb\\r\\nc",7,["x","€,"],[1,2],{"title":"Emma","pages":474},{"title":"<&>","pages":1}]',
      'cover emma.svg image/svg+xml <svg/>',
      'more blob application/octet-stream a',
      'more blob text/x \x00\r\n--',
      `back ü application/octet-stream \xc3\xa9`,
    ])
  })
  test('optional parts can be omitted', async () => {
    const { body: read } = await right(calling().send({ form: usual }))
    assert.is(read[0], '["a\\nb\\r\\nc",null,["x","€,"],[1,2],{"title":"Emma","pages":474},null]')
    assert.is(read.length, 2)
  })
  test('files are sent by path, with optional name and media type', async () => {
    const { body: read } = await right(
      calling().send({
        form: {
          ...usual,
          cover: { path: notes },
          more: [{ path: notes, fileName: 'a.b', contentType: 'text/plain;charset=utf-8' }],
        },
      }),
    )
    assert.equal(read.slice(1), [
      'cover notes é.txt application/octet-stream one\ntwo\n',
      'more a.b text/plain;charset=utf-8 one\ntwo\n',
    ])
  })
  test('a field sends several files under its name', async () => {
    assert.equal((await right(calling().all({ form: { files: [] } }))).body, ['undefined'])
    assert.equal(
      (await right(calling().all({ form: { note: '', files: [blob('1'), blob('2')] } }))).body,
      ['', 'files blob application/octet-stream 1', 'files blob application/octet-stream 2'],
    )
  })
  table<readonly [name: string, change: object, detail: RegExp]>(
    test,
    [
      ['no file', { cover: undefined }, /form cover is required/],
      ['a text for a file', { cover: notes }, /form cover must be a file/],
      [
        'a file that is not there',
        { cover: { path: join(folder, 'no') } },
        /form cover (?:must be the path of a file, got |cannot be read: ENOENT)/,
      ],
      ['one file for several', { more: blob('') }, /form more must be a list of files/],
      [
        'a structured part of another type',
        { book: { title: 1 } },
        /form book must be a string; form book is required: an integer/,
      ],
      ['no structured part', { book: undefined }, /form book is required/],
      ['a field of another type', { pages: 1.5 }, /form pages must be/],
    ],
    async (_, change, detail) => {
      const error = await errorIn(calling().send({ form: { ...usual, ...change } }))
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, detail)
    },
  )
  test('an invalid form reports all errors', async () => {
    const error = await errorIn(
      calling().send({ form: { ...usual, pages: 'x', cover: 1, book: 2 } as never }),
    )
    assert.equal(
      error._tag === 'EncodeError' && error.faults.map(({ in: group, name }) => [group, name]),
      [
        ['form', 'pages'],
        ['form', 'cover'],
        ['form', 'book'],
      ],
    )
  })
})

called('forms that a program puts together', api, (test, calling) => {
  test('a list of parts is sent in order', async () => {
    const { body: read } = await right(
      calling().input({
        body: [
          formDataPart('title', 'Emma\n', string, { headers: { 'X-Language': 'en' } }),
          formDataPart('tag', ['a', 'b'], list(string)),
          formDataPart('book', { title: 'é', pages: 1 }, json(Book)),
          formDataPart('octets', new Uint8Array([0xff, 0]), bytes, { fileName: 'a/b.bin' }),
          formDataPart('notes', notes, file),
          formDataPart('two', filePart(notes, { offset: 4, count: 3 }), as('text/x')(file)),
          { name: 'blob', file: blob('<a/>', 'text/xml') },
        ],
      }),
    )
    assert.equal(read, [
      'title undefined X-Language: en: Content-Type: text/plain;charset=UTF-8 Emma\n',
      'tag undefined Content-Type: text/plain;charset=UTF-8 a',
      'tag undefined Content-Type: text/plain;charset=UTF-8 b',
      'book undefined Content-Type: application/json {"title":"é","pages":1}',
      'octets b.bin Content-Type: application/octet-stream \xff\0',
      'notes notes é.txt Content-Type: application/octet-stream one\ntwo\n',
      'two notes é.txt Content-Type: text/x;charset=UTF-8 two',
      'blob blob Content-Type: text/xml <a/>',
    ])
  })
  test('a list of parts can contain streams', async () => {
    const { body: read } = await right(
      calling().stream({
        body: [
          formDataPart('a', 'x', string),
          formDataPart('log', ['1\n', '\ud83d', '\ude00'], textStream, { fileName: 'log' }),
          formDataPart('octets', [new Uint8Array([1]), new Uint8Array([2])], byteStream, {
            fileName: 'o',
          }),
          { name: 'file', file: { path: notes } },
        ],
      }),
    )
    assert.equal(read, ['a x', 'log 1\n\xf0\x9f\x98\x80', 'octets \x01\x02', 'file one\ntwo\n'])
  })
  test('a list of parts can be empty', async () =>
    assert.equal((await right(calling().input({ body: [] }))).body, []))
  table<readonly [name: string, parts: unknown, detail: RegExp]>(
    test,
    [
      ['no list', 'title', /body: must be a list of parts/],
      ['no parts', [{ name: 'title' }], /body: must be a list of parts/],
      [
        'a part of another type',
        [formDataPart('n', 'x' as never, json(int))],
        /form n must be an integer/,
      ],
      ['no source', [formDataPart('n', 'x' as never, byteStream)], /form n must be a source/],
      ['no file', [{ name: 'n', file: 'x' }], /form n must be a file/],
      [
        'more than there is',
        [formDataPart('n', filePart(notes, { offset: 4, count: 30 }), file)],
        /form n must not extend beyond the end/,
      ],
      [
        'what only servers send',
        [
          formDataPart('n', undefined as never, multipartInput),
          formDataPart('m', {} as never, multipartInput),
        ],
        /form m cannot be sent as multipart\/form-data/,
      ],
    ],
    async (_, given, detail) => {
      const error = await errorIn(calling().input({ body: given as ReadonlyArray<PartToSend> }))
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, detail)
    },
  )
})

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
