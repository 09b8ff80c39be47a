/** What a start loads: modules that only some programs need must wait until one does, for each costs every start its time. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe, sideBySide } from '../support/describe.ts'

const doors = ['index', 'node', 'testing', 'json', 'links', 'hal'].map(
  (door) => new URL(`../../src/${door}.js`, import.meta.url).href,
)

/** The files that a program in a process of its own has loaded, by the record that the engine keeps for coverage. */
const loadedBy = async (program: string): Promise<ReadonlyArray<string>> => {
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

const withDoors = (body: string): string =>
  `const [espalier, node, testing, json] = await Promise.all(${JSON.stringify(doors)}.map((door) => import(door)));${body}`

const expression = (regex: string): string =>
  withDoors(`
    const { get, handle, path, routes } = espalier
    const endpoint = handle(() => {})(get()(path(${JSON.stringify(`/{id:${regex}}`)})))
    testing.inMemory(routes({ endpoint }))
  `)

/** A text that is read with every digit. */
const sent = (text: string): string =>
  withDoors(`
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

describe('loading', (test, hooks) => {
  sideBySide(
    test,
    hooks,
    [
      [
        'the doors',
        withDoors(''),
        [],
        [regexpp, temporal, losslessJson, fastXml, '/fp-ts/lib/Array.js'],
      ],
      ['JSON whose numbers a double keeps', sent('[1,"1.0"]'), [], [losslessJson]],
      ['JSON with more digits', sent('[1.0]'), [losslessJson], [regexpp]],
      ['a plain expression', expression('[a-z]+'), [], [regexpp]],
      ['an expression with a repeated group', expression('(?:[a-z]-)+'), [regexpp], [temporal]],
      [
        'a date',
        withDoors(`${withoutTemporal}espalier.plainDate.decode('2024-01-31')`),
        [temporal],
        [regexpp],
      ],
    ] as const,
    async (_, program, needed, others) => {
      const files = await loadedBy(program)
      const isLoaded = (part: string): boolean => files.some((file) => file.includes(part))
      assert.ok(isLoaded('/io-ts/') && isLoaded('/fp-ts/lib/Option.js'), 'there is nothing to see')
      assert.equal(
        needed.filter((part) => !isLoaded(part)),
        [],
      )
      assert.equal(others.filter(isLoaded), [])
    },
  )
})
