/** The names of files that are received, where they lie, and how long. */
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
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'
import { until } from '../support/workers.ts'

/** The paths of the files of the last request. */
let seen: ReadonlyArray<string> = []

const api = routes({
  names: pipe(
    path('/names'),
    post(),
    form({ f: uploads }),
    produces(text),
    handle(({ form: { f } }) => {
      seen = f.map((one) => one.path)
      assert.ok(seen.every((one) => existsSync(one)))
      return f.map(({ fileName }) => fileName).join('|')
    }),
  ),
  fails: pipe(
    path('/fails'),
    post(),
    form({ f: uploads }),
    produces(text),
    handle(({ form: { f } }): string => {
      seen = f.map((one) => one.path)
      throw new Conflict('too early')
    }),
  ),
})

const named = (parameters: string): string =>
  `Content-Disposition: form-data; name="f"; ${parameters}\r\n\r\nabc`
const files = (...names: ReadonlyArray<string>): string =>
  formOf(...names.map((fileName) => field('f', fileName, { fileName })))

contract('names of files', api, (test, call) => {
  table<readonly [title: string, parameters: string, name: string]>(
    test,
    [
      ['as it is', 'filename="a.txt"', 'a.txt'],
      ['without its path', 'filename="/home/me/a.txt"', 'a.txt'],
      ['without that of Windows', 'filename="C:\\\\me\\\\a.txt"', 'a.txt'],
      ['nothing but a path', 'filename="../.."', ''],
      ['in the form of RFC 5987', `filename="x"; filename*=UTF-8''%C3%A4%20%E2%82%AC`, 'ä €'],
      ['in it alone, with a language', `filename*=utf-8'en'a.txt`, 'a.txt'],
      ['in it without its path', `filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, 'passwd'],
    ],
    async (_, parameters, name) => {
      const response = await call(send('/names', formOf(named(parameters))))
      assert.equal([response.status, await response.text()], [200, name])
    },
  )
  test('each lies under a name of its own, below that of the system', async () => {
    const response = await call(send('/names', files('a.txt', '../../etc/passwd', 'a.txt')))
    assert.is(await response.text(), 'a.txt|passwd|a.txt')
    assert.is(new Set(seen).size, 3)
    for (const file of seen) {
      assert.is(dirname(file), join(tmpdir(), 'uploads'))
      assert.not.match(file, /a\.txt|passwd/)
    }
  })
  for (const [to, status] of [
    ['/names', 200],
    ['/fails', 409],
  ] as const)
    test(`none is left behind ${status}`, async () => {
      const response = await call(send(to, files('a', 'b')))
      assert.is(response.status, status)
      await response.text()
      assert.is(seen.length, 2)
      await until(() => seen.every((one) => !existsSync(one)))
    })
})

const directory = mkdtempSync(join(tmpdir(), 'espalier-kept-'))

contract(
  'files that are kept',
  api,
  (test, call) => {
    test('lie in the directory of the settings, and nothing beside them', async () => {
      for (const to of ['/names', '/fails']) {
        const response = await call(send(to, files('one', 'two')))
        await response.text()
        await new Promise((resolve) => setTimeout(resolve, 20))
        assert.equal(
          readdirSync(directory).toSorted(),
          seen.map((one) => one.slice(directory.length + 1)).toSorted(),
        )
        assert.equal(
          seen.map((one) => readFileSync(one, 'utf8')),
          ['one', 'two'],
        )
        for (const one of seen) rmSync(one)
      }
    })
  },
  {
    'fw.http.body.delete-uploaded-files-on-end': false,
    'fw.http.body.uploads-directory': directory,
  },
)
