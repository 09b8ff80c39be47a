/** Uploaded files: names, storage paths and deletion. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  form,
  handle,
  path,
  post,
  produces,
  routes,
  text,
  uploads,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** Paths of the files of the last request. */
let filePaths: ReadonlyArray<string> = []

const api = routes({
  names: pipe(
    path('/names'),
    post(),
    form({ f: uploads }),
    produces(text),
    handle(({ form: { f } }) => {
      filePaths = f.map((file) => file.path)
      assert.ok(filePaths.every((filePath) => existsSync(filePath)))
      return f.map(({ fileName }) => fileName).join('|')
    }),
  ),
  fails: pipe(
    path('/fails'),
    post(),
    form({ f: uploads }),
    produces(text),
    handle(({ form: { f } }): string => {
      filePaths = f.map((file) => file.path)
      throw new Conflict('too early')
    }),
  ),
})

const partWith = (parameters: string): string =>
  `Content-Disposition: form-data; name="f"; ${parameters}\r\n\r\nabc`
const files = (...names: ReadonlyArray<string>): string =>
  encodeMultipart(...names.map((fileName) => encodePart('f', fileName, { fileName })))

contract('names and paths of uploaded files', api, (test, call) => {
  table<readonly [title: string, parameters: string, name: string]>(
    test,
    [
      ['a plain name', 'filename="a.txt"', 'a.txt'],
      ['a name with a path', 'filename="/home/me/a.txt"', 'a.txt'],
      ['a name with a Windows path', 'filename="C:\\\\me\\\\a.txt"', 'a.txt'],
      ['a path without a name', 'filename="../.."', ''],
      [
        'an extended parameter (RFC 5987)',
        `filename="x"; filename*=UTF-8''%C3%A4%20%E2%82%AC`,
        'ä €',
      ],
      ['only an extended parameter, with a language', `filename*=utf-8'en'a.txt`, 'a.txt'],
      ['an extended parameter with a path', `filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, 'passwd'],
    ],
    async (_, parameters, name) => {
      const response = await call(multipartRequest('/names', encodeMultipart(partWith(parameters))))
      assert.equal([response.status, await response.text()], [200, name])
    },
  )
  test('files are stored under unique names in the temporary directory', async () => {
    const response = await call(
      multipartRequest('/names', files('a.txt', '../../etc/passwd', 'a.txt')),
    )
    assert.is(await response.text(), 'a.txt|passwd|a.txt')
    assert.is(new Set(filePaths).size, 3)
    for (const file of filePaths) {
      assert.is(dirname(file), join(tmpdir(), 'uploads'))
      assert.not.match(file, /a\.txt|passwd/)
    }
  })
  for (const [target, status] of [
    ['/names', 200],
    ['/fails', 409],
  ] as const)
    test(`files are deleted after a response with status ${status}`, async () => {
      const response = await call(multipartRequest(target, files('a', 'b')))
      assert.is(response.status, status)
      await response.text()
      assert.is(filePaths.length, 2)
      await waitUntil(() => filePaths.every((filePath) => !existsSync(filePath)))
    })
})

const directory = mkdtempSync(join(tmpdir(), 'espalier-kept-'))

contract(
  'uploaded files that are kept',
  api,
  (test, call) => {
    test('only the files are stored in the configured directory', async () => {
      for (const target of ['/names', '/fails']) {
        const response = await call(multipartRequest(target, files('one', 'two')))
        await response.text()
        await turns()
        assert.equal(
          readdirSync(directory).toSorted(),
          filePaths.map((filePath) => filePath.slice(directory.length + 1)).toSorted(),
        )
        assert.equal(
          filePaths.map((filePath) => readFileSync(filePath, 'utf8')),
          ['one', 'two'],
        )
        for (const filePath of filePaths) rmSync(filePath)
      }
    })
  },
  {
    'fw.http.body.delete-uploaded-files-on-end': false,
    'fw.http.body.uploads-directory': directory,
  },
)
