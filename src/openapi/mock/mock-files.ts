/** Small files and byte sequences for responses that have no codec. */
import type { OpenHandle } from '../../endpoint/file.ts'
import type { Random } from './random.ts'
import { sentence } from './sample-text.ts'

/** The content of a file and its media type. */
export interface SampleFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const base64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Images of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const svg = (random: Random): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#${random.integer(100, 999)}" d="M0 0h9v9H0z"/></svg>`

/** Returns a file with a media type in the range `declared`. Types without a sample contain text. */
export const sampleFile = (declared: string, random: Random): SampleFile => {
  const [essence = ''] = declared.split(';', 1)
  const range = essence.trim().toLowerCase()
  switch (range) {
    case 'image/*':
    case 'image/png':
      return { mediaType: 'image/png', bytes: base64(png) }
    case 'image/gif':
      return { mediaType: range, bytes: base64(gif) }
    case 'image/svg+xml':
      return { mediaType: range, bytes: utf8(svg(random)) }
    case 'text/csv':
      return { mediaType: range, bytes: utf8(`id,text\r\n1,${sentence(random)}\r\n`) }
    case 'text/html':
      return { mediaType: range, bytes: utf8(`<!doctype html><p>${sentence(random)}</p>`) }
    case '*/*':
    case 'text/*':
      return { mediaType: 'text/plain;charset=UTF-8', bytes: utf8(`${sentence(random)}\n`) }
    default:
      return {
        mediaType: range.endsWith('/*') ? range.replace('*', 'octet-stream') : declared,
        bytes: utf8(isJson(range) ? '{}' : `${sentence(random)}\n`),
      }
  }
}

const isJson = (essence: string): boolean =>
  essence === 'application/json' || essence.endsWith('+json')

/** Returns an open file whose content is in memory. */
export const openInMemory = (bytes: Uint8Array): OpenHandle => ({
  stat: async () => ({ size: bytes.length, mtimeMs: 0, isFile: () => true }),
  read: async (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length)
    buffer.set(part, offset)
    return { bytesRead: part.length }
  },
  close: async () => undefined,
})
