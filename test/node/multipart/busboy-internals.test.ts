/**
 * The private members of busboy that `busboy-internals.ts` uses, and its search for delimiters. A failure of the former means that an
 * update of busboy needs a review of that file.
 */
import { readFileSync } from 'node:fs'
import busboy from 'busboy'
import * as assert from 'uvu/assert'
import { BusboyInternals } from '../../../src/node/multipart/busboy-internals.ts'
import { partSplitter } from '../../../src/node/multipart/split-parts.ts'
import { describe, table } from '../../support/describe.ts'

const headers = { 'content-type': 'multipart/form-data; boundary=XX' }

const limits = {
  headerSize: 300,
  headerSizeName: 'the size',
  headerCount: 5,
  headerCountName: 'the count',
}

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
  test('_hparser is set for each part, to the same parser with push and cb', () => {
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
    parser.write('--XX\r\nA: b\r\n\r\n\r\n--XX\r\nA: b\r\n\r\n')
    const [first, , second] = assigned as ReadonlyArray<{
      readonly push: unknown
      readonly cb: unknown
    } | null>
    assert.type(first?.push, 'function')
    assert.type(first?.cb, 'function')
    assert.is(second, first)
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
        () => new BusboyInternals(parser, limits, receiver),
        /unsupported version of busboy: install version 1\.6\.0/,
      )
    },
  )
})

const unexpected = (): never => {
  throw new Error('unexpected part')
}
const receiver = { begin: unexpected, fail: unexpected }

const split = partSplitter()

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let start = 0; start < text.length; start += size)
    yield Buffer.from(text.slice(start, start + size))
}

describe('delimiters across chunks', (test) => {
  table(
    test,
    [
      ['a body without line breaks', 'text'],
      ['an empty body', ''],
      ['line breaks and hyphens', '\r\n-\r\n--\r\n-X\r\n'],
      ['the beginning of a delimiter', '\r\n--X'],
      ['consecutive carriage returns before the delimiter', '\r\r\r'],
      ['a delimiter without its line break', 'a--XX\r'],
    ] as const,
    async (_, body) => {
      const part = `--XX\r\ncontent-disposition: form-data; name="a"\r\n\r\n${body}\r\n`
      const form = `${part}${part}--XX--`
      for (let size = 1; size <= form.length; size++) {
        const bodies: string[] = []
        for await (const { body: chunks } of split(inChunks(form, size), 'XX', limits)) {
          let text = ''
          for await (const chunk of chunks) text += Buffer.from(chunk).toString()
          bodies.push(text)
        }
        assert.equal(bodies, [body, body], `chunks of ${size} bytes`)
      }
    },
  )
})
