/** Uploaded files for unit tests of handlers. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { form, handle, path, post, routes, upload } from '../../src/index.ts'
import { inMemory, testUpload } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

describe('testUpload', (test) => {
  test('has the members of a file that a browser uploads', async () => {
    const received: object[] = []
    const add = pipe(
      path('/'),
      post(),
      form({ cover: upload }),
      handle(({ form: { cover } }) => {
        received.push(cover)
      }),
    )
    const body = new FormData()
    body.set('cover', new Blob(['pixels'], { type: 'text/plain;charset=utf-8' }), 'ä.txt')
    await inMemory(routes({ add }))('http://localhost/', { method: 'POST', body })
    const {
      path: _,
      read,
      ...created
    } = testUpload('pixels', {
      name: 'cover',
      fileName: 'ä.txt',
      contentType: 'text/plain;charset=utf-8',
    })
    const [first = {}] = received
    assert.equal(
      { ...created, path: undefined, read: undefined, headers: undefined },
      { ...first, path: undefined, read: undefined, headers: undefined },
    )
    assert.is(Buffer.from(await read()).toString(), 'pixels')
  })
  test('writes text and bytes to files of their own, which can be moved', () => {
    const [text, bytes] = [testUpload('é'), testUpload(Uint8Array.of(1, 2, 3))]
    assert.is(readFileSync(text.path, 'utf8'), 'é')
    assert.equal([text.size, bytes.size], [2, 3])
    renameSync(bytes.path, `${text.path}-moved`)
    assert.equal([...readFileSync(`${text.path}-moved`)], [1, 2, 3])
  })
  test('by default, the file has a name and the type of bytes', () => {
    const { path: _, read: _read, ...members } = testUpload('a')
    assert.equal(members, {
      name: 'file',
      fileName: 'file',
      size: 1,
      contentType: 'application/octet-stream',
      charset: undefined,
      headers: [
        'Content-Disposition',
        'form-data; name="file"; filename="file"',
        'Content-Type',
        'application/octet-stream',
      ],
    })
  })
  test('the files are deleted when the process exits', () => {
    const program = `
      import { testUpload } from 'espalier/testing'
      process.stdout.write(testUpload('a').path)
    `
    const file = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    assert.ok(file.includes('espalier-test-uploads'))
    assert.not(existsSync(file))
  })
})
