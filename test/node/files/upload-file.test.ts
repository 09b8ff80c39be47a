/** Files for uploads: names, permissions and deletion. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as assert from 'uvu/assert'
import { ownPrefix, sweep } from '../../../src/node/files/stale-uploads.ts'
import { createUploadFactory } from '../../../src/node/files/upload-file.ts'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { field, formOf, send as sent } from '../../support/multipart.ts'
import { api, uploadingModule } from '../../support/uploading.ts'

const fresh = (): string => join(mkdtempSync(join(tmpdir(), 'espalier-')), 'uploads')

const content = formOf(
  field('meta', '{"title":"Emma"}'),
  field('file', 'kept', { fileName: '../../etc/passwd' }),
)

describe('uploads', (test) => {
  test('a new file has a random name, and only its user can read it', async () => {
    const directory = fresh()
    const file = await createUploadFactory(directory, ownPrefix())()
    await file.write(Buffer.from('abc'))
    await file.close()
    assert.is(statSync(directory).mode & 0o777, 0o700)
    assert.is(statSync(file.path).mode & 0o777, 0o600)
    assert.match(basename(file.path), /^upload-[\da-f]{8}-\d+-\d+-[\da-f-]{36}$/)
    assert.is(readFileSync(file.path, 'utf8'), 'abc')
    await file.delete()
    await file.delete()
    assert.equal(readdirSync(directory), [])
  })
  test('all bytes are written for any chunk sizes', async () => {
    const block = 256 * 1024
    const sizes = [block - 1, block, block + 1, 1, 0, 2 * block, 3 * block + 7, block - 1, 1]
    const octets = randomBytes(sizes.reduce((sum, size) => sum + size, 0))
    const file = await createUploadFactory(fresh(), '')()
    let at = 0
    for (const size of sizes) {
      const piece = Buffer.from(octets.subarray(at, at + size))
      await file.write(piece)
      // its memory is used for something else
      piece.fill(0)
      at += size
    }
    await file.close()
    assert.ok(readFileSync(file.path).equals(octets))
    await file.delete()
  })
  test('a write to a deleted file rejects', async () => {
    const file = await createUploadFactory(fresh(), '')()
    await file.delete()
    const error: unknown = await file.write(Buffer.from('abc')).catch((reason: unknown) => reason)
    assert.is(error instanceof Error && error.name, 'AbortError')
  })
  test('only the files of ended processes are deleted', async () => {
    const directory = fresh()
    const own = await createUploadFactory(directory, ownPrefix())()
    const kept = await createUploadFactory(directory, '')()
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const [, machine = ''] = /^upload-([\da-f]{8})/.exec(ownPrefix()) ?? []
    const id = basename(kept.path)
    const names = {
      dead: `upload-${machine}-${child.pid}-1-${id}`,
      again: `upload-${machine}-${process.pid}-1-${id}`,
      elsewhere: `upload-00000000-${child.pid}-1-${id}`,
      strange: `upload-${machine}-${child.pid}-1-mine.txt`,
    }
    for (const name of Object.values(names)) writeFileSync(join(directory, name), '')
    await sweep(directory)
    const is = (name: keyof typeof names): boolean => existsSync(join(directory, names[name]))
    assert.ok(existsSync(own.path) && existsSync(kept.path))
    assert.not.ok(is('dead'))
    // numbers of processes come again: only Linux tells whose it was
    assert.is(is('again'), process.platform !== 'linux')
    assert.ok(is('elsewhere') && is('strange'))
    await sweep(join(directory, 'missing'))
    await own.delete()
    await kept.delete()
  })
  test('a file is kept, also after the next start, if configured', async () => {
    const directory = fresh()
    const options = {
      module: uploadingModule,
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
      'fw.http.body.uploads-directory': directory,
    } as const
    const server = await serve(api, {
      ...options,
      'fw.http.body.delete-uploaded-files-on-end': false,
    })
    for (const to of ['/loop', '/worker'])
      assert.is((await send(server.url, sent(to, content))).status, 200)
    // what no handler has seen is of no use to anybody
    assert.is((await send(server.url, sent('/loop', content.slice(0, -9)))).status, 400)
    assert.is((await send(server.url, sent('/loop', content.replace('title', 'x')))).status, 400)
    await server.close()
    await (await serve(api, options)).close()
    const names = readdirSync(directory)
    assert.is(names.length, 2)
    for (const name of names) assert.is(readFileSync(join(directory, name), 'utf8'), 'kept')
  })
  if (process.platform !== 'win32')
    test('a full file system returns 507, and leaves no file', async () => {
      const directory = fresh()
      // a limit of the system: no file has more than a few blocks
      const limited = [
        '-c',
        'ulimit -f 64; exec "$@"',
        'sh',
        process.execPath,
        program('uploading.js'),
        directory,
      ]
      const child = spawn('sh', limited, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      try {
        const [url] = (await once(child, 'message')) as [string]
        const large = formOf(
          field('meta', '{"title":"Emma"}'),
          field('file', 'x'.repeat(300_000), { fileName: 'a' }),
        )
        assert.is((await send(url, sent('/loop', large))).status, 507)
        assert.is((await send(url, sent('/loop', content))).status, 200)
        await new Promise((resolve) => setTimeout(resolve, 50))
        assert.equal(readdirSync(directory), [])
      } finally {
        child.kill('SIGKILL')
      }
    })
})
