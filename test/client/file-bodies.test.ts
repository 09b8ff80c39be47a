/** Files as request bodies. */
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { FileToSend } from '../../src/client.ts'
import { as, body, fileBody, handle, path, post, produces, routes, text } from '../../src/index.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'

const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
const notes = join(folder, 'notes.txt')
await writeFile(notes, 'one\ntwo\n')

const api = routes({
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle(
      async ({ body: { path: location, size, contentType } }) =>
        `${contentType} ${size} ${await readFile(location, 'utf8')}`,
    ),
  ),
  image: pipe(
    path('/image'),
    post(),
    body(as('image/*')(fileBody)),
    produces(text),
    handle(({ body: { contentType } }) => contentType),
  ),
})

const blob = (content: string, type = ''): Blob => new Blob([content], { type })

clientContract('files as request bodies', api, (test, createClient) => {
  table<readonly [name: string, file: FileToSend, as: string | undefined, expected: string]>(
    test,
    [
      ['a file by path', { path: notes }, undefined, 'application/octet-stream 8 one\ntwo\n'],
      [
        'a file by path with a media type',
        { path: notes, contentType: 'text/x;a=b' },
        undefined,
        'text/x;a=b 8 one\ntwo\n',
      ],
      ['a Blob with a media type', blob('é', 'text/y'), undefined, 'text/y 2 é'],
      ['a Blob with the `as` option', blob('é', 'text/y'), 'text/z', 'text/z;charset=utf-8 2 é'],
      ['an empty Blob', blob(''), undefined, 'application/octet-stream 0 '],
    ],
    async (_, value, type, expected) => {
      const options = type === undefined ? {} : { as: type }
      assert.is((await right(createClient().file({ body: value }, options))).body, expected)
    },
  )
  test('a file is sent with its own media type if a range is declared', async () => {
    assert.is((await right(createClient().image({ body: blob('', 'image/x') }))).body, 'image/x')
    const error = await errorIn(createClient().image({ body: blob('', 'text/x') }))
    assert.match(error.message, /with the `as` option/)
  })
  test('a value that is not a file is an EncodeError', async () => {
    for (const value of ['x', { path: 1 }, { path: folder }, undefined]) {
      const error = await errorIn(createClient().file({ body: value as unknown as Blob }))
      assert.is(error._tag, 'EncodeError', JSON.stringify(value))
    }
  })
})

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
