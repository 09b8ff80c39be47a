/** The search of a multipart body for delimiters. */
import * as assert from 'uvu/assert'
import { partSplitter } from '../../../src/node/multipart/split-parts.ts'
import { describe, table } from '../../support/describe.ts'

const limits = {
  headerSize: 300,
  headerSizeName: 'the size',
  headerCount: 5,
  headerCountName: 'the count',
}

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
