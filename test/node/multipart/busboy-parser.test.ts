/**
 * The private members of busboy that `busboy-parser.ts` uses. A failure means that an update of busboy or streamsearch needs a
 * review of that file.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import busboy from 'busboy'
import * as assert from 'uvu/assert'
import type { OnBytes } from '../../../src/node/multipart/busboy-parser.ts'
import { BusboyInternals, searchOf } from '../../../src/node/multipart/busboy-parser.ts'
import { describe, table } from '../../support/describe.ts'
import { linkPackage } from '../../support/linked-package.ts'

const createParser = (): busboy.Busboy =>
  busboy({ headers: { 'content-type': 'multipart/form-data; boundary=XX' } })

const readVersion = (file: string): unknown => {
  const { version, dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version?: string
    readonly dependencies?: Readonly<Record<string, string>>
  }
  return file === 'package.json' ? dependencies?.['busboy'] : version
}

type Call = readonly [isDelimiter: boolean, text: string]

/** Creates a parser, and records the calls of its callback. */
const recorded = (boundary = 'XX'): readonly [BusboyInternals, Call[]] => {
  const calls: Call[] = []
  const onBytes: OnBytes = (isDelimiter, bytes, start, end) =>
    void calls.push([isDelimiter, bytes?.toString('latin1', start, end) ?? ''])
  return [new BusboyInternals(boundary, onBytes), calls]
}

/** Returns what follows a delimiter, after each byte of the rest of its line. */
const lineOf = (text: string): ReadonlyArray<string | undefined> => {
  const [internals] = recorded()
  internals.write(Buffer.from('--XX'))
  internals.beginLine()
  const line = Buffer.from(text)
  return Array.from(line, (_, position) => internals.continueLine(line, position))
}

describe('private members of busboy', (test) => {
  test('the version is pinned, and is the installed one', () => {
    assert.is(readVersion('package.json'), '1.6.0')
    assert.is(readVersion('node_modules/busboy/package.json'), '1.6.0')
  })
  test('_bparser._cb receives all bytes and delimiters in order', () => {
    const [internals, calls] = recorded()
    internals.write(Buffer.from('a\r\n--XX\r\nb\r\n'))
    internals.write(Buffer.from('--XXc'))
    assert.equal(calls, [
      [false, '\r\n'],
      [true, 'a'],
      [false, '\r\nb'],
      [true, ''],
      [false, 'c'],
    ])
  })
  test('_bparser._lookbehindSize is 0 unless a chunk ends with the beginning of a delimiter', () => {
    for (const [text, holdsBytes] of [
      ['a', false],
      ['a\r', true],
      ['a\r\n--X', true],
      ['a\r\n--XX', false],
      ['a\r\n--Y', false],
    ] as const) {
      const [internals] = recorded()
      internals.write(Buffer.from(text))
      assert.is(internals.holdsBytes, holdsBytes, JSON.stringify(text))
    }
  })
  table<readonly [line: string, expected: ReturnType<typeof lineOf>]>(
    test,
    [
      ['\r\n', [undefined, 'part']],
      ['--', [undefined, 'epilogue']],
      ['-x', [undefined, undefined]],
      ['\rx', [undefined, undefined]],
      ['x\r\n', [undefined, undefined, undefined]],
    ],
    (line, expected) => assert.equal(lineOf(line), expected),
  )
  test('after the headers of a part, the next delimiter is recognised', () => {
    const [internals] = recorded()
    const line = Buffer.from('\r\n')
    for (let part = 0; part < 3; part++) {
      internals.beginLine()
      assert.equal(
        [0, 1].map((at) => internals.continueLine(line, at)),
        [undefined, 'part'],
      )
    }
  })
  test('a boundary may contain all characters of RFC 2046', () => {
    const boundary = `a b'()+_,-./:=?c`
    const [internals, calls] = recorded(boundary)
    internals.write(Buffer.from(`a\r\n--${boundary}`))
    assert.equal(calls.at(-1), [true, 'a'])
  })
  table(
    test,
    [
      ['a parser without _bparser', '_bparser', undefined],
      ['a parser whose _bparser has no _cb', '_bparser', { _lookbehindSize: 2 }],
      ['a parser whose _bparser has no _lookbehindSize', '_bparser', { _cb: () => undefined }],
      ['a parser without _hparser', '_hparser', undefined],
      ['a parser without _complete', '_complete', undefined],
    ] as const,
    (_, member, value) => {
      const parser = createParser()
      searchOf(parser)
      Object.defineProperty(parser, member, { value })
      assert.throws(
        () => searchOf(parser),
        /unsupported version of busboy: expected 1\.6\.0, found 1\.6\.0/,
      )
    },
  )
})

const service = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { form, get, handle, path, post, routes, upload } from 'espalier'
  import { serve } from 'espalier/node'

  const options = { 'fw.http.port': 0, 'fw.log.level': 'off', 'fw.shutdown.grace': 0 }
  const start = (api) =>
    serve(routes({ api }), options).then((server) => server.close()).then(() => 'started', ({ message }) => message)
  console.log(await start(pipe(path('/'), get(), handle(() => {}))))
  console.log(await start(pipe(path('/'), post(), form({ one: upload }), handle(() => {}))))
`

/** Returns what a service logs with another busboy in `node_modules`. */
const runWith = async (version: string, code: string): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-busboy-'))
  const installed = join(folder, 'node_modules', 'espalier', 'dist')
  const busboyFolder = join(folder, 'node_modules', 'busboy')
  try {
    linkPackage(folder, 'module')
    // a linked package would import the dependencies of this repository
    for (const linked of [installed, busboyFolder]) rmSync(linked)
    cpSync('dist/espalier', join(installed, 'espalier'), { recursive: true })
    mkdirSync(busboyFolder)
    writeFileSync(join(busboyFolder, 'package.json'), JSON.stringify({ name: 'busboy', version }))
    writeFileSync(join(busboyFolder, 'index.js'), code)
    writeFileSync(join(folder, 'service.js'), service)
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'service.js')])
    return stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a service with another version of busboy', (test) => {
  const remedy = 'remove the override of this dependency of espalier'
  test('does not start if it reads multipart bodies, and names both versions', async () => {
    const code = `module.exports = require(${JSON.stringify(join(process.cwd(), 'node_modules/busboy'))})`
    assert.equal(await runWith('1.5.0', code), [
      'started',
      `unsupported version of busboy: expected 1.6.0, found 1.5.0: ${remedy}`,
    ])
  })
  test('does not start if private members are missing', async () => {
    assert.equal(await runWith('1.6.0', 'module.exports = () => ({})'), [
      'started',
      `unsupported version of busboy: expected 1.6.0, found 1.6.0: ${remedy}`,
    ])
  })
})
