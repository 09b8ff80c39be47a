/** Path traversal: no path from a request leads out of the directory. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  fails,
  file,
  get,
  handle,
  path,
  produces,
  routes,
  segments,
  string,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { fileResolver } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'

const canary = 'the canary is outside'
const outside = newFolder()
const root = join(outside, 'root')
mkdirSync(join(root, 'sub', 'deep'), { recursive: true })
mkdirSync(join(outside, 'root-sibling'))
for (const [place, content] of [
  ['canary.txt', canary],
  ['root-sibling/canary.txt', canary],
  ['root/.hidden', canary],
  ['root/a.txt', 'a'],
  ['root/sub/b c.txt', 'b'],
  ['root/sub/ä.txt', 'c'],
] as const)
  writeFileSync(join(outside, place), content)
symlinkSync(join(outside, 'canary.txt'), join(root, 'link-out'))
symlinkSync(outside, join(root, 'directory-out'))
symlinkSync(join(outside, 'root-sibling', 'canary.txt'), join(root, 'link-to-sibling'))
symlinkSync(join(root, 'a.txt'), join(root, 'link-in'))
symlinkSync(join(root, 'loop'), join(root, 'loop'))

const find = fileResolver(root)
const contentOf = async (relative: string | ReadonlyArray<string>): Promise<string | undefined> => {
  const result = await find(relative)
  return result._tag === 'Left' ? undefined : readFileSync(result.right, 'utf8')
}

describe('fileResolver', (test) => {
  table(
    test,
    [
      ['a.txt', 'a'],
      ['sub/b c.txt', 'b'],
      [['sub', 'b c.txt'], 'b'],
      ['sub/ä.txt', 'c'],
      ['link-in', 'a'],
      ['link-to-sibling', undefined],
      ['', undefined],
      [[], undefined],
      [[''], undefined],
      ['sub', undefined],
      ['missing', undefined],
      ['a.txt/x', undefined],
      ['a.txt/', undefined],
      ['/a.txt', undefined],
      ['./a.txt', undefined],
      ['sub/../a.txt', undefined],
      ['sub//b c.txt', undefined],
      [['sub/b c.txt'], undefined],
      ['.hidden', undefined],
      ['../canary.txt', undefined],
      [['..', 'canary.txt'], undefined],
      ['../root-sibling/canary.txt', undefined],
      ['link-out', undefined],
      ['directory-out/canary.txt', undefined],
      ['loop', undefined],
      ['a.txt\0', undefined],
      ['a.txt\0.png', undefined],
      ['a.txt.', undefined],
      ['a.txt ', undefined],
      ['a.txt::$DATA', undefined],
      ['C:\\a.txt', undefined],
      ['sub\\b c.txt', undefined],
      ['con', undefined],
      ['NUL.txt', undefined],
      ['x'.repeat(5000), undefined],
    ] as const,
    async (relative, content) => assert.is(await contentOf(relative), content),
  )
  test('finds files in a directory that is created later', async () => {
    const directory = join(outside, 'later')
    const findFile = fileResolver(directory)
    assert.is((await findFile('a'))._tag, 'Left')
    mkdirSync(directory)
    writeFileSync(join(directory, 'a'), '')
    assert.is((await findFile('a'))._tag, 'Right')
  })
})

/** Spellings of paths out of the directory, with single and multiple escapes. */
const spellings = (): ReadonlyArray<string> => {
  const ups = [
    '..',
    '.',
    '%2e%2e',
    '%2E.',
    '.%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '%u002e%u002e',
    '..%00',
    '.. ',
    '..;',
    '..;a=b',
    '...',
    '%ef%bc%8e%ef%bc%8e',
    'link-out/..',
    'directory-out',
    'sub/..',
    '%2e%2e%20',
    '~',
  ]
  const slashes = [
    '/',
    '//',
    '%2f',
    '%2F',
    '%5c',
    '\\',
    '%252f',
    '%255c',
    '%c0%af',
    '/./',
    '/%2e/',
    '%00/',
    ';/',
    '%ef%bc%8f',
  ]
  const ends = [
    'canary.txt',
    'canary.txt%00.png',
    'canary.txt%20',
    'canary.txt::$DATA',
    'root-sibling/canary.txt',
  ]
  const steps = ups.flatMap((up) => slashes.map((slash) => `${up}${slash}`))
  const ways = steps.flatMap((step) => [
    step,
    step + step,
    `sub/${step}${step}`,
    `a.txt/${step}${step}`,
  ])
  return [
    ...ways.flatMap((way, at) =>
      [ends[at % ends.length], ends[0]].map((end) => `${way}${end ?? ''}`),
    ),
    ...slashes.map((slash) => slash + outside.split('/').join(slash) + slash + 'canary.txt'),
    '.hidden',
    '%2ehidden',
    'sub/../.hidden',
    'link-out',
    'link-out/',
    'directory-out/canary.txt',
    '%6cink-out',
    'file:///canary.txt',
    'file:%2f%2f/canary.txt',
  ]
}

describe('fileResolver over a socket', (test, { before, after }) => {
  let server: Server
  before(async () => {
    const listed = pipe(
      path('/segments/{rest}', { rest: segments(string) }),
      get(),
      produces(file),
      fails(404),
      handle((input) => find(input.path.rest)),
    )
    const text = pipe(
      path('/text/{rest:.+}'),
      get(),
      produces(file),
      fails(404),
      handle((input) => find(input.path.rest)),
    )
    server = await serveLocally(routes({ listed, text }))
  })
  after(() => server.close())
  test('no spelling of a path leads out of the directory', async () => {
    const all = spellings()
    assert.ok(all.length > 2000, `${all.length}`)
    for (const prefix of ['/segments/', '/text/']) {
      const connections = await Promise.all(Array.from({ length: 8 }, () => connectTo(server.url)))
      await Promise.all(
        connections.map(async (first, index) => {
          let connection = first
          for (const spelling of all.filter((_, at) => at % 8 === index)) {
            connection.write(rawRequest(`GET ${prefix}${spelling}`))
            const { status, body, headers } = await connection.next()
            assert.not.match(body, new RegExp(canary), spelling)
            assert.ok([400, 404].includes(status) || body === 'a', `${status} ${spelling}`)
            if (!headers.some(([name, value]) => name === 'connection' && value === 'close'))
              continue
            connection.destroy()
            connection = await connectTo(server.url)
          }
          connection.destroy()
        }),
      )
    }
  })
})
