/** The private members of busboy that `busboy-internals.ts` uses. A failure means that an update of busboy needs a review of that file. */
import { readFileSync } from 'node:fs'
import busboy from 'busboy'
import * as assert from 'uvu/assert'
import { BusboyInternals } from '../../../src/node/multipart/busboy-internals.ts'
import { describe, table } from '../../support/describe.ts'

const headers = { 'content-type': 'multipart/form-data; boundary=XX' }

const createParser = (): busboy.Busboy => busboy({ headers })

const readVersion = (file: string): unknown => {
  const { version, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version?: string
    readonly devDependencies?: Readonly<Record<string, string>>
  }
  return file === 'package.json' ? devDependencies?.['busboy'] : version
}

describe('private members of busboy', (test) => {
  test('the version is pinned, and is the installed one', () => {
    assert.is(readVersion('package.json'), '1.6.0')
    assert.is(readVersion('node_modules/busboy/package.json'), '1.6.0')
  })
  test('_bparser has a callback _cb, which receives the bytes before each delimiter', () => {
    const parser = createParser()
    const search = Reflect.get(parser, '_bparser') as { _cb: (...args: unknown[]) => void }
    const calls: unknown[][] = []
    search._cb = (isDelimiter, bytes, start, end) => {
      const text =
        bytes instanceof Buffer ? bytes.toString('latin1', Number(start), Number(end)) : ''
      calls.push([isDelimiter, text])
    }
    parser.write('--XX\r\na\r\n--XX--')
    assert.is(calls.filter(([isDelimiter]) => isDelimiter === true).length, 2)
    assert.match(calls.map(([, text]) => text).join(''), /a/)
  })
  test('_complete becomes true with the last delimiter', () => {
    const parser = createParser()
    assert.is(Reflect.get(parser, '_complete'), false)
    parser.on('error', () => undefined).end('--XX--\r\n')
    assert.is(Reflect.get(parser, '_complete'), true)
  })
  test('_hparser is replaced for each part, by a parser with push and cb', () => {
    const parser = createParser()
    const assigned: unknown[] = []
    let current: unknown = Reflect.get(parser, '_hparser')
    Object.defineProperty(parser, '_hparser', {
      get: () => current,
      set: (next: unknown) => {
        current = next
        assigned.push(next)
      },
    })
    parser.write('--XX\r\nA: b\r\n\r\n')
    const [first] = assigned as ReadonlyArray<{
      readonly push: unknown
      readonly cb: unknown
    } | null>
    assert.type(first?.push, 'function')
    assert.type(first?.cb, 'function')
  })
  table(
    test,
    [
      ['a parser without _bparser', '_bparser', undefined],
      ['a parser whose _bparser has no _cb', '_bparser', {}],
    ] as const,
    (_, member, value) => {
      const parser = createParser()
      Object.defineProperty(parser, member, { value })
      assert.throws(
        () => new BusboyInternals(parser, { headerSize: 300, headerCount: 5 }, () => undefined),
        /unsupported version of busboy: install 1\.6\.0/,
      )
    },
  )
})
