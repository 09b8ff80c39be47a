/** Form submissions by a browser. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  form,
  get,
  handle,
  html,
  int,
  json,
  optional,
  path,
  post,
  produces,
  routes,
  string,
  upload,
  uploads,
} from '../../src/index.ts'
import { inBrowser } from './in-browser.ts'

const home = pipe(
  path('/'),
  get(),
  produces(html),
  handle(
    () => `<!doctype html><meta charset="utf-8"><title>a cover</title>
      <form action="/covers" method="post" enctype="multipart/form-data">
        <input name="title"><input name="year"><input name="note">
        <input type="file" name="cover"><input type="file" name="pages" multiple>
        <button>send</button>
      </form>`,
  ),
)

const File = t.type({ fileName: t.string, contentType: t.string, size: t.number, hash: t.string })
const Sent = t.type({
  title: t.string,
  year: t.number,
  note: optional(t.string),
  cover: File,
  pages: t.readonlyArray(File),
})

interface Received {
  readonly fileName: string
  readonly contentType: string
  readonly size: number
  readonly path: string
}

const describeFile = async ({ fileName, contentType, size, path: at }: Received) => ({
  fileName,
  contentType,
  size,
  hash: hashOf(await readFile(at)),
})
const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

const send = pipe(
  path('/covers'),
  post(),
  form({ title: string, year: int, note: optional(string), cover: upload, pages: uploads }),
  produces(json(Sent)),
  handle(async ({ form: { title, year, note, cover, pages } }) => ({
    title,
    year,
    note,
    cover: await describeFile(cover),
    pages: await Promise.all(pages.map(describeFile)),
  })),
)

inBrowser('a form of a browser', routes({ home, send }), (test, { visit }) => {
  test('a submitted form has its fields and files', async () => {
    const cover = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 31) % 256))
    const page = Buffer.from('one\r\n--two\r\n')
    const sent = await visit('/', async (opened) => {
      await opened.fill('[name=title]', 'Überredung "Persuasion"')
      await opened.fill('[name=year]', '1817')
      await opened.setInputFiles('[name=cover]', {
        name: 'Umschlag "ä".png',
        mimeType: 'image/png',
        buffer: cover,
      })
      await opened.setInputFiles('[name=pages]', [
        { name: '1.txt', mimeType: 'text/plain', buffer: page },
        { name: '2.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      ])
      await opened.click('button')
      return JSON.parse((await opened.textContent('body')) ?? '') as unknown
    })
    assert.equal(sent, {
      title: 'Überredung "Persuasion"',
      year: 1817,
      note: '',
      cover: {
        fileName: 'Umschlag "ä".png',
        contentType: 'image/png',
        size: 300_000,
        hash: hashOf(cover),
      },
      pages: [
        { fileName: '1.txt', contentType: 'text/plain', size: page.length, hash: hashOf(page) },
        { fileName: '2.txt', contentType: 'text/plain', size: 0, hash: hashOf(Buffer.alloc(0)) },
      ],
    })
  })
})
