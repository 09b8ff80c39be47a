/** Forms with files and structured parts. */
import { existsSync, readFileSync } from 'node:fs'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  UnreadablePart,
  allUploads,
  bytes,
  encoded,
  form,
  handle,
  int,
  json,
  list,
  mapError,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  reply,
  routes,
  string,
  text,
  upload,
  uploads,
  withDefault,
  withMapper,
} from '../../src/index.ts'
import type { FileUpload } from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'

const seen: string[] = []

const shown = (file: FileUpload): string => {
  seen.push(file.path)
  return `${file.name}=${file.fileName}:${readFileSync(file.path, 'utf8')}`
}

const Meta = t.type({ title: t.string })

const operations = routes({
  plain: pipe(
    path('/plain'),
    post(),
    form({ title: string, pages: optional(int), copies: withDefault(int, 1), tags: list(string) }),
    produces(json(t.unknown)),
    handle((input) => input.form),
  ),
  raw: pipe(
    path('/encoded'),
    post(),
    form({ a: encoded(string) }),
    produces(text),
    handle((input) => input.form.a),
  ),
  file: pipe(
    path('/file'),
    post(),
    form({ title: string, cover: upload }),
    produces(text),
    handle(({ form: { title, cover } }) => `${title} ${shown(cover)}`),
  ),
  files: pipe(
    path('/files'),
    post(),
    form({ pages: uploads }),
    produces(text),
    handle(({ form: { pages } }) => pages.map(shown).join(' ')),
  ),
  all: pipe(
    path('/all'),
    post(),
    form({ cover: upload, every: allUploads, title: optional(string) }),
    produces(text),
    handle(({ form: { every } }) => every.map(shown).join(' ')),
  ),
  details: pipe(
    path('/details'),
    post(),
    form({ cover: upload }),
    produces(json(t.unknown)),
    handle(({ form: { cover } }) => {
      const { path: _, ...rest } = cover
      return rest
    }),
  ),
  maybe: pipe(
    path('/maybe'),
    post(),
    form({
      cover: optionalPart(upload),
      meta: optionalPart(part(json(Meta))),
      more: uploads,
      rest: optionalPart(uploads),
    }),
    produces(json(t.unknown)),
    handle(({ form: { cover, meta, more, rest } }) => [
      cover === undefined,
      meta === undefined,
      more.length,
      rest === undefined,
    ]),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    form({ meta: part(json(Meta)), raw: part(bytes), note: optional(string) }),
    produces(json(t.unknown)),
    handle(({ form: { meta, raw } }) => [meta, [...raw]]),
  ),
  mapped: pipe(
    routes({
      one: pipe(
        path('/mapped'),
        post(),
        form({ meta: part(json(Meta)) }),
        handle(() => undefined),
      ),
    }),
    withMapper(mapError(UnreadablePart, (error) => reply(999, error.part))),
  ),
})

const cover = field('cover', '<svg/>', { fileName: 'a.svg', type: 'image/svg+xml' })

contract('multipart forms', operations, (test, call) => {
  const answer = async (
    to: string,
    ...parts: ReadonlyArray<string>
  ): Promise<[number, unknown]> => {
    const response = await call(send(to, formOf(...parts)))
    const said = await response.text()
    const type = response.headers.get('Content-Type') ?? ''
    return [response.status, type.includes('json') ? JSON.parse(said) : said]
  }

  test('plain parts convert as fields do, in both media types', async () => {
    const expected = { title: 'Émma & co', pages: 12, copies: 1, tags: ['a', 'b'] }
    assert.equal(
      await answer(
        '/plain',
        field('title', 'Émma & co'),
        field('tags', 'a'),
        field('pages', '12'),
        field('tags', 'b'),
      ),
      [200, expected],
    )
    const fields: ReadonlyArray<[string, string]> = [
      ['title', 'Émma & co'],
      ['tags', 'a'],
      ['pages', '12'],
      ['tags', 'b'],
    ]
    const sent = new Request(`${base}/plain`, {
      method: 'POST',
      body: new URLSearchParams([...fields]),
    })
    assert.equal(await (await call(sent)).json(), expected)
  })

  test('a form without any part is one', async () => {
    assert.equal(await answer('/maybe'), [200, [true, true, 0, true]])
  })

  test('a part of an encoded field is the text that it is', async () => {
    assert.equal(await answer('/encoded', field('a', 'x%20+y')), [200, 'x%20+y'])
  })

  test('a file is found by the name of its part', async () => {
    assert.equal(await answer('/file', field('title', 'Emma'), cover), [
      200,
      'Emma cover=a.svg:<svg/>',
    ])
    assert.equal(await answer('/file', cover, field('title', 'Emma')), [
      200,
      'Emma cover=a.svg:<svg/>',
    ])
  })

  test('all files of a name, and of all names', async () => {
    const sent = [
      field('pages', '1', { fileName: 'one' }),
      field('other', '2', { fileName: 'two' }),
      field('pages', '3', { fileName: 'three' }),
      cover,
      field('title', 'no file'),
    ]
    assert.equal(await answer('/files', ...sent), [200, 'pages=one:1 pages=three:3'])
    assert.equal(await answer('/all', ...sent), [
      200,
      'pages=one:1 other=two:2 pages=three:3 cover=a.svg:<svg/>',
    ])
    assert.equal(await answer('/files'), [200, ''])
  })

  test('a part without a file name is a file when it is declared as one', async () => {
    assert.equal(await answer('/files', field('pages', 'x')), [200, 'pages=:x'])
  })

  test('what a file tells of itself', async () => {
    const one = [
      'Content-Disposition: form-data; name="cover"; filename="C:\\\\dir\\\\%22a%22.txt"',
      'content-type: text/plain; charset=ISO-8859-1',
      'Extra-Header: yes',
    ]
    const [status, details] = await answer('/details', [...one, '', 'abc'].join('\r\n'))
    assert.is(status, 200)
    assert.equal(details, {
      name: 'cover',
      fileName: '"a".txt',
      size: 3,
      contentType: 'text/plain; charset=ISO-8859-1',
      charset: 'iso-8859-1',
      headers: one.flatMap((line) => line.split(': ')),
    })
  })

  test('a file that nobody chose is missing', async () => {
    const none = field('cover', '', { fileName: '', type: 'application/octet-stream' })
    assert.equal(await answer('/maybe', none), [200, [true, true, 0, true]])
    const [status, problem] = await answer('/file', none, field('title', 'x'))
    assert.is(status, 400)
    assert.match(JSON.stringify(problem), /"name":"cover","detail":"is required: a file"/)
  })

  test('an empty file with a name is there', async () => {
    assert.equal(
      await answer('/file', field('title', 'x'), field('cover', '', { fileName: 'e' })),
      [200, 'x cover=e:'],
    )
  })

  test('a structured part is read by its declared type, whatever it states', async () => {
    for (const type of [undefined, 'application/json', 'text/plain', 'nonsense'])
      assert.equal(
        await answer(
          '/parts',
          field('meta', '{"title":"Emma","more":1}', { type }),
          field('raw', 'ab', { fileName: 'blob', type: 'application/octet-stream' }),
        ),
        [200, [{ title: 'Emma' }, [97, 98]]],
      )
  })

  test('an unreadable part is 400, with everything that is wrong', async () => {
    const [status, problem] = await answer('/parts', field('meta', '{"title":1}'))
    assert.is(status, 400)
    assert.equal((problem as { readonly errors: unknown }).errors, [
      { in: 'form', name: 'raw', detail: 'is required: a part' },
      { in: 'form', name: 'meta', pointer: '#/title', detail: 'must be a string' },
    ])
  })

  test('an unreadable part has an error of its own for mappers', async () => {
    assert.equal(await answer('/mapped', field('meta', '{')), [999, 'meta'])
    assert.is((await answer('/mapped', field('other', '{')))[0], 400)
  })

  test('what is missing is named, and so is every other fault', async () => {
    const [status, problem] = await answer('/file')
    assert.is(status, 400)
    assert.equal((problem as { readonly errors: unknown }).errors, [
      { in: 'form', name: 'title', detail: 'is required: a string' },
      { in: 'form', name: 'cover', detail: 'is required: a file' },
    ])
  })

  test('a part has a charset', async () => {
    const latin = Buffer.from(
      formOf(field('title', 'caf\u{e9}', { type: 'text/plain; charset=ISO-8859-1' })),
      'latin1',
    )
    const response = await call(send('/plain', latin))
    assert.is(((await response.json()) as { readonly title: string }).title, 'café')
    const not = field('title', 'x', { type: 'text/plain; charset=nonsense' })
    assert.is((await call(send('/plain', formOf(not)))).status, 415)
    assert.is(
      (await call(send('/plain', Buffer.from(formOf(field('title', '\u{e9}')), 'latin1')))).status,
      400,
    )
  })

  test('no file is left', async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.ok(seen.length > 5)
    assert.equal(
      seen.filter((one) => existsSync(one)),
      [],
    )
  })
})
