/** The imports of the bundle: dependencies of the package and modules of Node.js. */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

const directory = 'dist/espalier'
const code = readdirSync(directory)
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(directory, name), 'utf8'))

/** Returns the names of imported packages and modules, without subpaths. */
const imported = new Set(
  code
    .flatMap((text) => [
      ...text.matchAll(
        /^(?:import|export)\b.*?["']([^"'.][^"']*)["'];$|^\} from ["']([^"'.][^"']*)["'];$/gm,
      ),
    ])
    .map(([, first, second]) => first ?? second ?? '')
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
)

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

describe('bundle', (test) => {
  test('imports only dependencies and peers', () => {
    const packages = [...imported].filter((name) => !name.startsWith('node:'))
    assert.ok(packages.includes('io-ts'))
    assert.equal(
      packages.filter((name) => !Object.hasOwn({ ...dependencies, ...peerDependencies }, name)),
      [],
    )
  })
  test('contains no other packages', () => {
    const packages = code.flatMap((text) => [
      ...text.matchAll(/^(?:\/\/ |  ").*node_modules\/([\w@.-]+)/gm),
    ])
    assert.equal(new Set(packages.map(([, name]) => name)), new Set(['fp-ts']))
  })
  // importing CommonJS modules is slow, because Node.js analyzes their exports: 7 to 10 ms of the start for fp-ts
  test('contains the used parts of fp-ts, with its licence', () => {
    assert.not.ok(imported.has('fp-ts'))
    assert.match(readFileSync(`${directory}/LICENSE-fp-ts`, 'utf8'), /MIT License/)
  })
  test('loads optional modules on first use', async () => {
    const program = `
      process.getBuiltinModule('node:http')
      const before = new Set(process.moduleLoadList)
      await import(${JSON.stringify(pathToFileURL(`${directory}/index.js`))})
      const { serve } = await import(${JSON.stringify(pathToFileURL(`${directory}/node.js`))})
      const loaded = process.moduleLoadList.filter((name) => !before.has(name))
      console.log(JSON.stringify([typeof serve, ...loaded]))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ])
    const loaded = new Set(JSON.parse(stdout) as ReadonlyArray<string>)
    assert.ok(loaded.has('function'), 'the entry point was not loaded')
    assert.equal(
      ['crypto', 'worker_threads', 'zlib'].filter((name) => loaded.has(`NativeModule ${name}`)),
      [],
    )
  })
  // an import of `node:http` loads undici, which takes 25 ms since Node.js 22
  test('does not import modules of Node.js, because Node.js would read all their exports', async () => {
    assert.ok(
      code.some((text) => /^const .* = process\.getBuiltinModule\("node:http"\)/m.test(text)),
    )
    assert.equal(
      [...imported].filter((name) => name.startsWith('node:')),
      [],
    )
  })
})

/** Returns the files that a file imports, including itself. */
const loadedBy = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(directory, name), 'utf8')
  for (const [, one = ''] of text.matchAll(/(?:from|import) ?["']\.\/([^"']+)["']/g))
    loadedBy(one, seen)
  return seen
}
const texts = (...entryPoints: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  [...new Set(entryPoints.flatMap((entryPoint) => [...loadedBy(entryPoint)]))].map((name) => [
    name,
    readFileSync(join(directory, name), 'utf8'),
  ])

/** The modules of Node.js that a file needs when it is loaded. */
const builtinsIn = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(/(?:from|import)[ (]*["'](node:[^"']+)["']/g),
    ...text.matchAll(/^const (?:\w+|\{[^}]*\}) = process\.getBuiltinModule\("(node:[^"]+)"\);$/gm),
  ].map(([, name = '']) => name)

describe('server bundle', (test) => {
  const server = texts('index.js', 'node.js')
  test('has few files, because every file delays startup', () => {
    assert.ok(server.length <= 12, `${server.length} files`)
  })
  test('contains no modules of openapi, cli and testing, and none of direct connections', () => {
    const modules = server.flatMap(([, text]) => [...text.matchAll(/^\/\/ dist\/src\/(\S+)$/gm)])
    const names = modules.map(([, name = '']) => name)
    assert.ok(names.includes('interpreter/pipeline.js'))
    assert.equal(
      names.filter((name) => /^(?:openapi|cli|testing|xml|node\/direct)[/.]/.test(name)),
      [],
    )
  })
})

describe('client bundle', (test) => {
  test('imports no modules of Node.js, nor does a contract', () => {
    const client = texts('client-anywhere.js', 'index.js')
    assert.ok(client.length > 3, 'no files found')
    assert.equal(
      client.flatMap(([name, text]) => builtinsIn(text).map((one) => [name, one])),
      [],
    )
  })
  test('imports no modules of Node.js, nor does a fetch handler', () => {
    const handler = texts('fetch.js', 'index.js', 'json.js', 'xml.js', 'cbor.js', 'links.js')
    assert.ok(handler.length > 5, 'no files found')
    assert.equal(
      handler.flatMap(([name, text]) => builtinsIn(text).map((one) => [name, one])),
      [],
    )
  })
  test('uses neither Buffer nor process, except process.getBuiltinModule', () => {
    for (const [name, text] of texts('client-anywhere.js'))
      for (const line of text.replace(/\/\*[^]*?\*\//g, '').split('\n'))
        if (/\b(?:Buffer|process)\b/.test(line.replace(/\/\/.*|["'`][^"'`]*["'`]/g, '')))
          assert.match(line, /process\.getBuiltinModule/, `${name}: ${line}`)
  })
  test('contains no code of servers', () => {
    const folders = texts('client-anywhere.js')
      .flatMap(([, text]) => [...text.matchAll(/^\/\/ (?:dist\/)?src\/([\w-]+)\//gm)])
      .map(([, folder]) => folder)
    assert.equal(
      new Set(folders),
      new Set(['client', 'body', 'codec', 'endpoint', 'http', 'regex-safety', 'packages']),
    )
  })
  test('does not generate code', () => {
    for (const [name, text] of texts('client-anywhere.js', 'index.js'))
      assert.not.match(text, /new Function|\beval\(/, name)
  })
  test('generates code on Node.js if that is allowed', async () => {
    const program = `
      const generated = []
      globalThis.Function = new Proxy(Function, {
        construct: (target, args) => { const created = Reflect.construct(target, args); generated.push(created); return created },
      })
      const { client } = await import('espalier/client')
      const { get, json, path, pipe, produces, routes } = await import('espalier')
      const t = await import('io-ts')
      const { find } = client(
        routes({ find: produces(json(t.type({ title: t.string })))(get()(path('/'))) }),
        { baseUrl: 'http://localhost', fetch: async () => Response.json({ title: 'Emma' }) },
      )
      const response = await find()()
      console.log(response.right.body.title, generated.length)`
    const run = async (...flags: ReadonlyArray<string>): Promise<string> => {
      const args = [...flags, '--input-type=module', '--eval', program]
      return (await promisify(execFile)(process.execPath, args)).stdout.trim()
    }
    assert.equal(await Promise.all([run(), run('--disallow-code-generation-from-strings')]), [
      'Emma 2',
      'Emma 0',
    ])
  })
})
