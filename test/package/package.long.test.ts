/** The package as applications install it: packed, installed into an empty folder, run with Node.js, and compiled. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import * as assert from 'uvu/assert'
import type { OpenApiDocument } from '../../src/openapi.ts'
import { describe } from '../support/describe.ts'
import { pack, run } from '../support/packed-package.ts'

/** Uses every entry point. */
const application = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import * as espalier from 'espalier'
  import { client, promiseClient } from 'espalier/client'
  import { hal } from 'espalier/hal'
  import { jsonValue, lossless } from 'espalier/json'
  import { rel } from 'espalier/links'
  import { serve } from 'espalier/node'
  import { inMemory } from 'espalier/testing'
  import { xml } from 'espalier/xml'

  const { body, get, handle, int, json, path, post, produces, query, routes, text } = espalier
  const add = pipe(
    path('/add/{a}', { a: int }),
    get(),
    query({ b: int }),
    produces(text),
    handle(({ path: { a }, query: { b } }) => String(a + b)),
  )
  const exact = json(jsonValue)
  const echo = pipe(path('/echo'), post(), lossless, body(exact), produces(exact), handle(({ body: value }) => value))
  const Book = t.type({ title: t.string }, 'book')
  const book = pipe(path('/book'), get(), rel(), produces(xml(Book), hal(Book)), handle(() => ({ title: 'Emma' })))
  const api = routes({ add, echo, book })
  const call = inMemory(api)
  const send = (target, init) => call(new Request('http://localhost' + target, init))
  const headers = { 'Content-Type': 'application/json' }
  const server = await serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0 })
  const answers = [
    await fetch(server.url + '/add/1?b=2'),
    await send('/add/3?b=4'),
    await send('/echo', { method: 'POST', headers, body: '[1.0]' }),
    await send('/book', { headers: { Accept: 'application/xml' } }),
    await send('/book', { headers: { Accept: 'application/hal+json' } }),
  ]
  const calls = promiseClient(api, { baseUrl: server.url })
  const sums = [await calls.add({ path: { a: 5 }, query: { b: 6 } }), await calls.book()]
  await server.close()
  for (const answer of answers) console.log(await answer.text())
  for (const { body } of sums) console.log(JSON.stringify(body))
`

/** Loads ES modules with `require`, and reports warnings. */
const required = `
  process.on('warning', ({ name }) => console.log(name))
  const { pipe } = require('fp-ts/lib/function')
  const { get, handle, instant, path, produces, routes, text } = require('espalier')
  const { inMemory } = require('espalier/testing')
  const find = pipe(path('/at/{at}', { at: instant }), get(), produces(text), handle(({ path: { at } }) => String(at)))
  inMemory(routes({ find }))('http://localhost/at/2026-01-31T12:00:00Z').then(({ status }) => {
    console.log(status)
    setTimeout(() => console.log('end'), 10)
  })
`

/** Uses a package that is not installed. */
const lacking = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { authenticated, get, handle, jwt, path, routes, withFilter } from 'espalier'
  import { describeRoutes, serve } from 'espalier/node'
  import { inMemory } from 'espalier/testing'

  const me = pipe(path('/me'), get(), authenticated, handle(() => undefined))
  const users = jwt({ keys: new URL('http://localhost/keys'), issuer: 'i', audience: 'a', algorithms: ['ES256'] })
  const api = pipe(routes({ me }), withFilter(users))
  const starts = [() => serve(api, { 'fw.http.port': 0 }), async () => inMemory(api), async () => describeRoutes(api)]
  for (const start of starts) await start().then(() => console.log('no error'), ({ message }) => console.log(message))
`

/** Exports a route tree, and starts a server. */
const served = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { get, handle, path, routes } from 'espalier'
  import { serve } from 'espalier/node'
  export const api = routes({ ping: pipe(path('/ping'), get(), handle(() => undefined)) })
  await serve(api)
`

const settings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    skipLibCheck: false,
    types: [],
    outDir: 'out',
  },
  files: ['consumer.ts', 'combinators.ts'],
}

/** Settings for the examples in the documentation. They use packages that the installed package does not depend on. */
const exampleSettings = {
  compilerOptions: {
    ...settings.compilerOptions,
    lib: ['es2023', 'es2024.string'],
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    emitDeclarationOnly: true,
    rootDir: '.',
  },
  include: ['examples', 'console.ts'],
}

const examplePackages = [
  '@opentelemetry',
  '@types/node',
  'undici-types',
  'undici',
  'jose',
  'cborg',
  'zod',
]

const repository = process.cwd()

/** Compiles a project. Returns the errors. */
const compile = (project: string): Promise<string> =>
  run(project, process.execPath, [join(repository, 'node_modules/typescript/bin/tsc')]).catch(
    (error: { stdout: string }) => error.stdout,
  )

describe('package', (test, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
  const write = (file: string, content: string): void => writeFileSync(join(folder, file), content)
  let files: ReadonlyArray<string> = []
  let packedBytes = 0

  before(async () => {
    const tarball = await pack(folder)
    files = tarball.files
    packedBytes = statSync(tarball.path).size
    write('package.json', JSON.stringify({ private: true, type: 'module' }))
    const quick = ['--no-audit', '--no-fund', '--prefer-offline']
    await run(folder, 'npm', ['install', ...quick, tarball.path])
  })
  after(() => rmSync(folder, { recursive: true }))

  test('contains only sources, declarations and bundles', () => {
    for (const file of ['dist/espalier/index.js', 'dist/src/index.d.ts', 'src/index.ts'])
      assert.ok(files.includes(file), file)
    assert.equal(
      files.filter(
        (path) =>
          !/^(?:src\/.*\.ts|src\/guide\/[\w-]+\.md|dist\/espalier\/[\w-]+\.js|dist\/espalier\/page\/[\w/-]+\.js|dist\/src\/.*\.d\.ts(?:\.map)?|package\.json|README\.md|CHANGELOG\.md|dist\/espalier\/LICENSE-[\w-]+|LICENSE)$/.test(
            path,
          ) || path.includes('/showcase/'),
      ),
      [],
    )
  })
  test('has at most 1.8 MB, and takes at most 10.4 MB of disk space', () => {
    assert.ok(packedBytes <= 1_800_000, `${packedBytes} bytes`)
    const installed = join(folder, 'node_modules/espalier')
    const blocks = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((file) => statSync(join(installed, file)))
      .map((file) => (file.isFile() ? Math.ceil(file.size / 4096) : 0))
      .reduce((sum, count) => sum + count)
    assert.ok(blocks * 4096 <= 10_400_000, `${blocks * 4096} bytes`)
  })
  test('contains the source of each declaration', () => {
    const declarations = files.filter((path) => path.endsWith('.d.ts'))
    assert.ok(declarations.length > 100, `${declarations.length} declarations`)
    for (const declaration of declarations) {
      const module = declaration.replace(/^dist\/(.*)\.d\.ts$/, '$1')
      assert.ok(files.includes(`${declaration}.map`), declaration)
      assert.ok(files.includes(`${module}.ts`), module)
    }
  })
  test('contains every file that its README and guides link to', () => {
    const documents = files.filter((path) => /^(?:README\.md|src\/guide\/.*\.md)$/.test(path))
    const missing = documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(path), link))
        .filter((target) => !files.includes(target)),
    )
    assert.ok(documents.length > 15, 'the package has no guides')
    assert.equal(missing, [])
  })
  test('its entry points work in Node.js', async () => {
    write('application.js', application)
    const output = await run(folder, process.execPath, ['application.js'])
    assert.equal(output.trim().split('\n'), [
      '3',
      '7',
      '[1.0]',
      '<?xml version="1.0" encoding="UTF-8"?><book><title>Emma</title></book>',
      '{"title":"Emma","_links":{"self":{"href":"http://localhost/book"}}}',
      '"11"',
      '{"title":"Emma"}',
    ])
  })
  test('can be required in CommonJS without warnings', async () => {
    write('required.cjs', required)
    const output = await run(folder, process.execPath, ['required.cjs'])
    assert.equal(output.trim().split('\n'), ['200', 'end'])
  })
  test('reports jwt without the package jose as a configuration error', async () => {
    write('lacking.js', lacking)
    const message = [
      '1 configuration error',
      'FW-FILTER-003  unmet filter requirement',
      '             of the root',
      "             → jwt() requires the jose package: run npm install jose, and in a bundle, pass jose: () => import('jose')",
    ]
    assert.equal((await run(folder, process.execPath, ['lacking.js'])).trim().split('\n'), [
      ...message,
      ...message,
      ...message,
    ])
  })
  test('its command runs with npx', async () => {
    write('served.js', served)
    const npx = ['--no', 'espalier']
    assert.is(
      await run(folder, 'npx', [...npx, 'routes', './served.js']),
      'METHOD  PATH   NAME\nGET     /ping  ping\n',
    )
    const text = await run(folder, 'npx', [...npx, 'openapi', './served.js'])
    const { openapi, paths } = JSON.parse(text) as OpenApiDocument
    assert.match(openapi, /^3\.1\./)
    assert.equal(Object.keys(paths ?? {}), ['/ping'])
  })
  test('its command compares YAML documents of other formatting only with the package yaml', async () => {
    write('served.js', served)
    const command = ['node_modules/.bin/espalier', 'openapi', 'served.js']
    await run(folder, process.execPath, [...command, '-o', 'openapi.yaml'])
    const check = [...command, '--check', 'openapi.yaml']
    assert.is(await run(folder, process.execPath, check), '')
    write('openapi.yaml', `# reviewed\n${readFileSync(join(folder, 'openapi.yaml'), 'utf8')}`)
    const failure = await run(folder, process.execPath, check).catch((error: unknown) => error)
    assert.match(String(failure), /missing package yaml: run npm install --save-dev yaml/)
  })
  test('declarations can be emitted for modules that export its combinators and filters', async () => {
    for (const file of settings.files)
      cpSync(join(repository, 'test/package', file), join(folder, file))
    write('tsconfig.json', JSON.stringify(settings))
    assert.is(await compile(folder), '')
  })
  test('declarations can be emitted for the examples in the documentation', async () => {
    const project = join(folder, 'documentation')
    const examples = join(repository, 'test/docs/out')
    mkdirSync(join(project, 'examples'), { recursive: true })
    for (const name of examplePackages)
      cpSync(join(repository, 'node_modules', name), join(project, 'node_modules', name), {
        recursive: true,
      })
    for (const file of readdirSync(examples)) {
      const code = readFileSync(join(examples, file), 'utf8')
      writeFileSync(
        join(project, 'examples', file.replaceAll('.', '_').replace(/_ts$/, '.ts')),
        code.replace(/^(?:const|class|interface|type) /gm, 'export $&'),
      )
    }
    writeFileSync(
      join(project, 'console.ts'),
      'export const checkCommand = async (..._: ReadonlyArray<unknown>): Promise<void> => {}',
    )
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(exampleSettings))
    assert.is(await compile(project), '')
  })
})
