/** Names, permissions and deletion of uploaded files. */
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
import { ownPrefix, sweep } from '../../../src/node/files/private-directory.ts'
import { createUploadFactory } from '../../../src/node/files/upload-file.ts'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'
import { api, uploadingModule } from '../../programs/uploading.ts'
import { waitUntil } from '../../support/wait-until.ts'

const newDirectory = (): string => join(mkdtempSync(join(tmpdir(), 'espalier-')), 'uploads')

const content = encodeMultipart(
  encodePart('meta', '{"title":"Emma"}'),
  encodePart('file', 'kept', { fileName: '../../etc/passwd' }),
)

describe('uploaded files', (test) => {
  test('a new file has a random name and mode 0600', async () => {
    const directory = newDirectory()
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
    const bytes = randomBytes(sizes.reduce((sum, size) => sum + size, 0))
    const file = await createUploadFactory(newDirectory(), '')()
    let offset = 0
    for (const size of sizes) {
      const chunk = Buffer.from(bytes.subarray(offset, offset + size))
      await file.write(chunk)
      // the memory of a written chunk may be reused
      chunk.fill(0)
      offset += size
    }
    await file.close()
    assert.ok(readFileSync(file.path).equals(bytes))
    await file.delete()
  })
  test('a write to a deleted file rejects', async () => {
    const file = await createUploadFactory(newDirectory(), '')()
    await file.delete()
    const error: unknown = await file.write(Buffer.from('abc')).catch((reason: unknown) => reason)
    assert.is(error instanceof Error && error.name, 'AbortError')
  })
  test('sweep deletes only the files of ended processes', async () => {
    const directory = newDirectory()
    const own = await createUploadFactory(directory, ownPrefix())()
    const kept = await createUploadFactory(directory, '')()
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const [, machine = ''] = /^upload-([\da-f]{8})/.exec(ownPrefix()) ?? []
    const id = basename(kept.path)
    const names = {
      ended: `upload-${machine}-${child.pid}-1-${id}`,
      reusedId: `upload-${machine}-${process.pid}-1-${id}`,
      otherMachine: `upload-00000000-${child.pid}-1-${id}`,
      otherName: `upload-${machine}-${child.pid}-1-mine.txt`,
    }
    for (const name of Object.values(names)) writeFileSync(join(directory, name), '')
    await sweep(directory)
    const exists = (name: keyof typeof names): boolean => existsSync(join(directory, names[name]))
    assert.ok(existsSync(own.path) && existsSync(kept.path))
    assert.not.ok(exists('ended'))
    // process ids are reused, and only Linux provides the start time of a process
    assert.is(exists('reusedId'), process.platform !== 'linux')
    assert.ok(exists('otherMachine') && exists('otherName'))
    await sweep(join(directory, 'missing'))
    await own.delete()
    await kept.delete()
  })
  test('files are kept after the request and the next start if configured', async () => {
    const directory = newDirectory()
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
      assert.is((await send(server.url, multipartRequest(to, content))).status, 200)
    // the files of rejected requests are deleted
    assert.is((await send(server.url, multipartRequest('/loop', content.slice(0, -9)))).status, 400)
    assert.is(
      (await send(server.url, multipartRequest('/loop', content.replace('title', 'x')))).status,
      400,
    )
    await server.close()
    await (await serve(api, options)).close()
    const names = readdirSync(directory)
    assert.is(names.length, 2)
    for (const name of names) assert.is(readFileSync(join(directory, name), 'utf8'), 'kept')
  })
  if (process.platform !== 'win32')
    test('a full file system results in 507 and leaves no file', async () => {
      const directory = newDirectory()
      // the size of files is limited to a few blocks
      const parameters = [
        '-c',
        'ulimit -f 64; exec "$@"',
        'sh',
        process.execPath,
        program('uploading.js'),
        directory,
      ]
      const child = spawn('sh', parameters, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      try {
        const [url] = (await once(child, 'message')) as [string]
        const large = encodeMultipart(
          encodePart('meta', '{"title":"Emma"}'),
          encodePart('file', 'x'.repeat(300_000), { fileName: 'a' }),
        )
        assert.is((await send(url, multipartRequest('/loop', large))).status, 507)
        assert.is((await send(url, multipartRequest('/loop', content))).status, 200)
        await waitUntil(() => readdirSync(directory).length === 0)
      } finally {
        child.kill('SIGKILL')
      }
    })
})
