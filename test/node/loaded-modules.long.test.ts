/** The modules that a program loads. Modules that only some programs need are loaded on demand, because each one delays startup. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe, concurrentTable } from '../support/describe.ts'

const entryPoints = ['index', 'node', 'testing', 'json', 'links', 'hal'].map(
  (door) => new URL(`../../src/${door}.js`, import.meta.url).href,
)

const xmlEntryPoint = new URL('../../src/xml.js', import.meta.url).href

/** Runs a program in a separate process and returns the files that it has loaded, according to the coverage of V8. */
const loadedFiles = async (program: string): Promise<ReadonlyArray<string>> => {
  const directory = mkdtempSync(join(tmpdir(), 'espalier-'))
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: new URL('.', import.meta.url),
      env: { ...process.env, NODE_V8_COVERAGE: directory },
    })
    return readdirSync(directory)
      .map((file) => readFileSync(join(directory, file), 'utf8'))
      .flatMap((record) =>
        Array.from(record.matchAll(/"url":"(file:[^"]+)"/g), ([, url = '']) => url),
      )
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const withEntryPoints = (body: string): string =>
  `const [espalier, node, testing, json] = await Promise.all(${JSON.stringify(entryPoints)}.map((door) => import(door)));${body}`

const compilePath = (regex: string): string =>
  withEntryPoints(`
    const { get, handle, path, routes } = espalier
    const endpoint = handle(() => {})(get()(path(${JSON.stringify(`/{id:${regex}}`)})))
    testing.inMemory(routes({ endpoint }))
  `)

/** Returns a program that declares an XML representation, and reads or writes a document. */
const readXml = (codec: string, use: 'declare' | 'read' | 'write'): string =>
  withEntryPoints(`
    const { xml } = await import(${JSON.stringify(xmlEntryPoint)})
    const t = await import('io-ts')
    const { body, get, handle, path, post, produces, routes } = espalier
    const codec = xml(${codec})
    const call = testing.inMemory(routes({
      read: handle(() => {})(body(codec)(post()(path('/')))),
      write: handle(() => ({ a: 'b' }))(produces(codec)(get()(path('/')))),
    }))
    const requests = {
      declare: [],
      read: [{ method: 'POST', body: Buffer.from('<a><a>b</a></a>') }],
      write: [{}],
    }
    for (const request of requests[${JSON.stringify(use)}])
      if (!(await call(new Request('http://localhost/', request))).ok) throw new Error('failed')
  `)

/** Returns a program that decodes a JSON text without loss of digits. */
const parseLossless = (text: string): string =>
  withEntryPoints(`
    const { body, handle, path, post, routes } = espalier
    const read = body(espalier.json(json.jsonValue))(post()(path('/')))
    const endpoint = json.lossless(handle(() => {})(read))
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: ${JSON.stringify(text)} }
    await testing.inMemory(routes({ endpoint }))(new Request('http://localhost/', init))
  `)

const regexpp = '/@eslint-community/regexpp/'
const temporal = '/temporal-polyfill/'
const losslessJson = '/lossless-json/'
const fastXml = '/fast-xml-parser/'
const withoutTemporal = 'delete globalThis.Temporal;'

describe('loaded modules', (test, hooks) => {
  concurrentTable(
    test,
    hooks,
    [
      [
        'all entry points',
        withEntryPoints(''),
        [],
        [regexpp, temporal, losslessJson, fastXml, '/fp-ts/lib/Array.js'],
      ],
      [
        'JSON with numbers that a double represents exactly',
        parseLossless('[1,"1.0"]'),
        [],
        [losslessJson],
      ],
      ['JSON with further digits', parseLossless('[1.0]'), [losslessJson], [regexpp]],
      ['a simple regular expression', compilePath('[a-z]+'), [], [regexpp]],
      [
        'a regular expression with a repeated group',
        compilePath('(?:[a-z]-)+'),
        [regexpp],
        [temporal],
      ],
      ['typed XML', readXml('t.type({ a: t.string }, "A")', 'read'), [], [fastXml]],
      ['untyped XML that is declared', readXml('t.unknown', 'declare'), [], [fastXml]],
      ['untyped XML that is written', readXml('t.unknown', 'write'), [], [fastXml]],
      ['untyped XML that is read', readXml('t.unknown', 'read'), [fastXml], []],
      [
        'a date',
        withEntryPoints(`${withoutTemporal}espalier.plainDate.decode('2024-01-31')`),
        [temporal],
        [regexpp],
      ],
    ] as const,
    async (_, program, needed, others) => {
      const files = await loadedFiles(program)
      const isLoaded = (part: string): boolean => files.some((file) => file.includes(part))
      assert.ok(isLoaded('/io-ts/') && isLoaded('/fp-ts/lib/Option.js'), 'no coverage')
      assert.equal(
        needed.filter((part) => !isLoaded(part)),
        [],
      )
      assert.equal(others.filter(isLoaded), [])
    },
  )
})
