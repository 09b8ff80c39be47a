/** The path and the creation of the uploads directory, and the deletion of stale files. */
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
import { makePrivate, ownPrefix, sweep } from '../../../src/node/files/private-directory.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import {
  api,
  changeOwner,
  createDirectory,
  createEmptyFile,
  hasOwners,
  isRoot,
  createLinkTo,
  rejection,
} from './uploads-directory.ts'

const withServer = async (
  directory: string | undefined,
  use: (server: Server) => Promise<void>,
) => {
  const server = await serveLocally(api, { 'fw.http.body.uploads-directory': directory })
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

const modeOf = (target: string): number => statSync(target).mode & 0o777

const withTemporaryDirectory = async (
  temporary: string,
  use: () => Promise<void>,
): Promise<void> => {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  try {
    await use()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** Returns the name of a file of an ended process. */
const staleName = (): string =>
  `${ownPrefix().replace(/-\d+-\d+-$/, '-999999999-1-')}${crypto.randomUUID()}`

describe('the uploads directory', (test) => {
  test('is created at startup with its missing parents and mode 0700', async () => {
    const parent = join(newFolder(), 'a')
    const directory = join(parent, 'b')
    await withServer(directory, async (server) => {
      assert.equal([modeOf(parent), modeOf(directory)], [0o700, 0o700])
      const [status, file] = await send(server)
      assert.is(status, 200)
      assert.ok(file.startsWith(directory))
    })
  })
  test('may be located below symbolic links that belong to the user', async () => {
    const directory = join(createLinkTo(createDirectory(0o700)), 'uploads')
    await withServer(directory, async (server) => assert.is((await send(server))[0], 200))
  })
  test('may be located below sticky and group-writable directories', async () => {
    assert.is(await makePrivate(createDirectory(0o700, createDirectory(0o1777))), undefined)
    assert.is(await makePrivate(createDirectory(0o700, createDirectory(0o775))), undefined)
  })
  if (hasOwners) {
    test('defaults to uploads in the temporary directory', async () => {
      const temporary = newFolder()
      await withTemporaryDirectory(temporary, () =>
        withServer(undefined, async (server) => {
          assert.match((await send(server))[1], /\/uploads\/upload-/)
          assert.is(modeOf(join(temporary, 'uploads')), 0o700)
        }),
      )
    })
    for (const [title, create] of [
      ['accessible to others', (target: string) => mkdirSync(target, { mode: 0o755 })],
      ['a symbolic link', (target: string) => symlinkSync(newFolder(), target)],
      ['a file', (target: string) => writeFileSync(target, '')],
    ] as const)
      test(`defaults to a directory of the user if uploads is ${title}`, async () => {
        const temporary = newFolder()
        create(join(temporary, 'uploads'))
        const userDirectory = join(temporary, `espalier-uploads-${process.geteuid?.()}`)
        await withTemporaryDirectory(temporary, () =>
          withServer(undefined, async (server) => {
            const [status, file] = await send(server)
            assert.equal([status, dirname(file)], [200, userDirectory])
            assert.is(modeOf(userDirectory), 0o700)
          }),
        )
      })
    test('is a configuration error for each unsafe default', async () => {
      const temporary = newFolder()
      mkdirSync(join(temporary, 'uploads'), { mode: 0o755 })
      mkdirSync(join(temporary, `espalier-uploads-${process.geteuid?.()}`), { mode: 0o755 })
      await withTemporaryDirectory(temporary, async () => {
        const error = await rejection(serveLocally(api))
        assert.is(error.match(/FW-CONF-005[^]*?\(from default\)/g)?.length, 2)
      })
    })
  }
  test('is recreated with mode 0700 after its deletion', async () => {
    const directory = join(newFolder(), 'a', 'b')
    await withServer(directory, async (server) => {
      rmSync(join(directory, '..'), { recursive: true })
      assert.is((await send(server))[0], 200)
      assert.is(modeOf(directory), 0o700)
    })
  })
  test('can be created by 20 concurrent starts', async () => {
    const directory = join(newFolder(), 'a', 'b', 'c')
    const reasons = await Promise.all(Array.from({ length: 20 }, () => makePrivate(directory)))
    assert.ok(reasons.every((reason) => reason === undefined))
  })

  const apiWithoutFiles = routes({
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
  test('is neither created nor checked if no operation needs it', async () => {
    const directory = join(newFolder(), 'uploads')
    for (const configured of [directory, createDirectory(0o755), '/proc/uploads']) {
      const server = await serveLocally(apiWithoutFiles, {
        'fw.http.body.uploads-directory': configured,
      })
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
      'multipart input',
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
      const server = await serveLocally(routes({ operation }), {
        'fw.http.body.uploads-directory': directory,
      })
      await server.close()
      assert.equal(readdirSync(directory), [])
    })
})

describe('sweep', (test) => {
  test('deletes neither links nor directories', async () => {
    const directory = newFolder()
    const target = createEmptyFile(newFolder())
    const [link, folder, file] = [staleName(), staleName(), staleName()]
    symlinkSync(target, join(directory, link))
    mkdirSync(join(directory, folder))
    writeFileSync(join(directory, folder, 'inside'), '')
    writeFileSync(join(directory, file), '')
    await sweep(directory)
    assert.equal(readdirSync(directory).toSorted(), [link, folder].toSorted())
    assert.ok(existsSync(target) && existsSync(join(directory, folder, 'inside')))
  })
  if (isRoot)
    test('does not delete files of another user', async () => {
      const directory = newFolder()
      const file = join(directory, staleName())
      writeFileSync(file, '')
      changeOwner(file)
      await sweep(directory)
      assert.ok(existsSync(file))
    })
})
