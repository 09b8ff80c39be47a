/** Where the uploads directory is, when it is created and what is deleted from it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  fileBody,
  form,
  handle,
  json,
  multipartInput,
  part,
  path,
  post,
  produces,
  routes,
  string,
  text,
  upload,
} from '../../../src/index.ts'
import { makePrivate } from '../../../src/node/files/private-directory.ts'
import { ownPrefix, sweep } from '../../../src/node/files/stale-uploads.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { onLoopback } from '../../support/loopback.ts'
import {
  api,
  chowned,
  directoryWith,
  fileIn,
  hasOwners,
  isRoot,
  linkTo,
  rejection,
} from '../../support/uploads-directory.ts'

const started = async (directory: string | undefined, use: (server: Server) => Promise<void>) => {
  const server = await onLoopback(api, { 'fw.http.body.uploads-directory': directory })
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

const send = async ({ url }: Server) => {
  const response = await fetch(`${url}/file`, { method: 'POST', body: 'abc' })
  return [response.status, await response.text()] as const
}

const modeOf = (one: string): number => statSync(one).mode & 0o777

const inTemporary = async (temporary: string, use: () => Promise<void>): Promise<void> => {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  try {
    await use()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** The name of a file that an ended process has left. */
const stale = (): string =>
  `${ownPrefix().replace(/-\d+-\d+-$/, '-999999999-1-')}${crypto.randomUUID()}`

describe('The uploads directory', (test) => {
  test('is created at start with mode 0700, and so are its missing parents', async () => {
    const parent = join(newFolder(), 'a')
    const directory = join(parent, 'b')
    await started(directory, async (server) => {
      assert.equal([modeOf(parent), modeOf(directory)], [0o700, 0o700])
      const [status, file] = await send(server)
      assert.is(status, 200)
      assert.ok(file.startsWith(directory))
    })
  })
  test('may lie below symbolic links that belong to the user', async () => {
    const directory = join(linkTo(directoryWith(0o700)), 'uploads')
    await started(directory, async (server) => assert.is((await send(server))[0], 200))
  })
  test('may lie in a sticky directory and below directories of a group', async () => {
    assert.is(await makePrivate(directoryWith(0o700, directoryWith(0o1777))), undefined)
    assert.is(await makePrivate(directoryWith(0o700, directoryWith(0o775))), undefined)
  })
  if (hasOwners) {
    test('is uploads in the temporary directory by default', async () => {
      const temporary = newFolder()
      await inTemporary(temporary, () =>
        started(undefined, async (server) => {
          assert.match((await send(server))[1], /\/uploads\/upload-/)
          assert.is(modeOf(join(temporary, 'uploads')), 0o700)
        }),
      )
    })
    for (const [title, create] of [
      ['open to others', (at: string) => mkdirSync(at, { mode: 0o755 })],
      ['a symbolic link', (at: string) => symlinkSync(newFolder(), at)],
      ['a file', (at: string) => writeFileSync(at, '')],
    ] as const)
      test(`is a directory of the user by default where uploads is ${title}`, async () => {
        const temporary = newFolder()
        create(join(temporary, 'uploads'))
        const own = `espalier-uploads-${process.geteuid?.()}`
        await inTemporary(temporary, () =>
          started(undefined, async (server) => {
            const [status, file] = await send(server)
            assert.equal([status, dirname(file)], [200, join(temporary, own)])
            assert.is(modeOf(join(temporary, own)), 0o700)
          }),
        )
      })
    test('is rejected for each default that is unsafe', async () => {
      const temporary = newFolder()
      mkdirSync(join(temporary, 'uploads'), { mode: 0o755 })
      mkdirSync(join(temporary, `espalier-uploads-${process.geteuid?.()}`), { mode: 0o755 })
      await inTemporary(temporary, async () => {
        const error = await rejection(onLoopback(api))
        assert.is(error.match(/FW-CONF-005[^]*?\(from default\)/g)?.length, 2)
      })
    })
  }
  test('is created again with mode 0700 after something has deleted it', async () => {
    const directory = join(newFolder(), 'a', 'b')
    await started(directory, async (server) => {
      rmSync(join(directory, '..'), { recursive: true })
      assert.is((await send(server))[0], 200)
      assert.is(modeOf(directory), 0o700)
    })
  })
  test('is not created by 20 starts at the same time more than once', async () => {
    const directory = join(newFolder(), 'a', 'b', 'c')
    const reasons = await Promise.all(Array.from({ length: 20 }, () => makePrivate(directory)))
    assert.ok(reasons.every((one) => one === undefined))
  })

  const without = routes({
    form: pipe(
      path('/form'),
      post(),
      form({ title: string, meta: part(json(string)) }),
      produces(text),
      handle((input) => input.form.title),
    ),
    text: pipe(
      path('/text'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    ),
  })
  test('is neither created nor checked without an operation that needs it', async () => {
    const directory = join(newFolder(), 'uploads')
    for (const one of [directory, directoryWith(0o755), '/proc/uploads']) {
      const server = await onLoopback(without, { 'fw.http.body.uploads-directory': one })
      const response = await fetch(`${server.url}/text`, { method: 'POST', body: 'abc' })
      assert.is(await response.text(), 'abc')
      await server.close()
    }
    assert.not.ok(existsSync(directory))
  })
  for (const [name, operation] of [
    [
      'an upload',
      pipe(
        path('/'),
        post(),
        form({ file: upload }),
        handle(() => undefined),
      ),
    ],
    [
      'all parts',
      pipe(
        path('/'),
        post(),
        body(multipartInput),
        handle(() => undefined),
      ),
    ],
    [
      'a file body',
      pipe(
        path('/'),
        post(),
        body(fileBody),
        handle(() => undefined),
      ),
    ],
  ] as const)
    test(`is checked for an operation with ${name}`, async () => {
      const directory = join(newFolder(), 'uploads')
      const server = await onLoopback(routes({ operation }), {
        'fw.http.body.uploads-directory': directory,
      })
      await server.close()
      assert.equal(readdirSync(directory), [])
    })
})

describe('The sweep of the uploads directory', (test) => {
  test('deletes neither the target of a link nor a directory', async () => {
    const directory = newFolder()
    const target = fileIn(newFolder())
    const [link, folder, file] = [stale(), stale(), stale()]
    symlinkSync(target, join(directory, link))
    mkdirSync(join(directory, folder))
    writeFileSync(join(directory, folder, 'inside'), '')
    writeFileSync(join(directory, file), '')
    await sweep(directory)
    assert.equal(readdirSync(directory).toSorted(), [link, folder].toSorted())
    assert.ok(existsSync(target) && existsSync(join(directory, folder, 'inside')))
  })
  if (isRoot)
    test('deletes no file of another user', async () => {
      const directory = newFolder()
      const file = join(directory, stale())
      writeFileSync(file, '')
      chowned(file)
      await sweep(directory)
      assert.ok(existsSync(file))
    })
})
