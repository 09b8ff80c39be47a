/** The uploaded form: a file between two text fields. */
import { fileBytes } from './sample-file.mjs'

const boundary = '----espalier-7MA4YWxkTrZu0gWbenchmark'
const lineEnd = '\r\n'

export const title = 'The Motion of the Moon'
export const note = 'second printing, with corrections'

/** @type {(name: string, value: string) => string} */
const field = (name, value) =>
  [`--${boundary}`, `content-disposition: form-data; name="${name}"`, '', value, ''].join(lineEnd)

export const form = Buffer.concat([
  Buffer.from(field('title', title)),
  Buffer.from(
    [
      `--${boundary}`,
      'content-disposition: form-data; name="cover"; filename="cover.bin"',
      'content-type: application/byte-stream',
      '',
      '',
    ].join(lineEnd),
  ),
  fileBytes,
  Buffer.from(lineEnd),
  Buffer.from(field('note', note)),
  Buffer.from(`--${boundary}--${lineEnd}`),
])

export const formType = `multipart/form-data; boundary=${boundary}`
