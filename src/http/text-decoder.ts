/**
 * Decodes text in the encodings of the Encoding Standard, with the same result in all versions of Node.js.
 *
 * `TextDecoder` of Node.js decodes windows-1252 as ISO-8859-1 in 20.18.3 and later, in 22.13 to 22.21, and in 24.0 to 24.6. Before 24, it has tables
 * of other standards for some encodings, and lacks two. In all versions, it decodes Big5 and EUC-KR without the extensions of the
 * standard: the characters of the extensions become control characters or private-use characters, and are rejected here.
 *
 * @see https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
 */

/** Decodes text. Malformed bytes result in a `TypeError`. */
export interface Decoder {
  readonly decode: (bytes?: Uint8Array, options?: { readonly stream?: boolean }) => string
}

/**
 * Creates a decoder for the encoding with the given label. Returns `undefined` if there is no such encoding. Like `TextDecoder`, the
 * decoder drops a byte order mark of the encoding.
 */
export const textDecoder = (label: string): Decoder | undefined => {
  if (label === 'utf-8') return new TextDecoder(label, { fatal: true })
  const name = encodingName(label)
  if (name === undefined) return undefined
  const changes = singleBytes[name]
  if (changes !== undefined) return singleByteDecoder(name, changes)
  const decoder = new TextDecoder(name === 'gbk' ? 'gb18030' : name, { fatal: true })
  if (name === 'shift_jis') return withControls(decoder)
  return name === 'big5' || name === 'euc-kr' ? withoutExtensions(decoder, name) : decoder
}

/** Returns the name of the encoding with the given label, in lower case, or `undefined`. */
export const encodingName = (label: string): string | undefined => {
  const name = label.trim().toLowerCase()
  if (missing.has(name)) return name
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** The encodings with a single label that Node.js 20 and 22 do not have. */
const missing: ReadonlySet<string> = new Set(['iso-8859-16', 'x-user-defined'])

/** The characters that differ from those of `TextDecoder`, by their first byte. U+FFFD stands for invalid bytes. */
type Changes = ReadonlyArray<readonly [first: number, characters: string]>

const singleBytes: Readonly<Record<string, Changes>> = {
  'windows-1252': [[0x80, '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ']],
  ibm866: [], // Node.js exchanges the bytes 1A, 1C and 7F
  'windows-1253': [[0xaa, '\ufffd']],
  'windows-1255': [[0xca, '\u05ba']],
  'windows-874': [
    [0xdb, '\ufffd'.repeat(4)],
    [0xfc, '\ufffd'.repeat(4)],
  ],
  'koi8-u': [
    [0xae, 'ў'],
    [0xbe, 'Ў'],
  ],
  'iso-8859-16': [
    [
      0xa0,
      '\xa0ĄąŁ€„Š§š©Ș«Ź\xadźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
    ],
  ],
  'x-user-defined': [
    [0x80, String.fromCharCode(...Array.from({ length: 128 }, (_, at) => 0xf780 + at))],
  ],
}

const singleByteDecoder = (name: string, changes: Changes): Decoder => {
  const units = Uint16Array.from({ length: 256 }, (_, byte) => byte)
  if (!missing.has(name)) {
    const upperHalf = new TextDecoder(name).decode(Uint8Array.from(units.subarray(128)))
    for (let at = 0; at < 128; at++) units[128 + at] = upperHalf.charCodeAt(at)
  }
  for (const [first, characters] of changes)
    for (let at = 0; at < characters.length; at++) units[first + at] = characters.charCodeAt(at)
  return {
    decode: (bytes = new Uint8Array()) => {
      let text = ''
      for (let start = 0; start < bytes.length; start += maxArguments)
        text += String.fromCharCode(
          ...Uint16Array.from(
            bytes.subarray(start, start + maxArguments),
            (byte) => units[byte] ?? 0,
          ),
        )
      if (text.includes('\ufffd')) throw new TypeError(`malformed ${name}`)
      return text
    },
  }
}

const maxArguments = 8192

/** Undoes that Node.js exchanges the control characters 1A, 1C and 7F. */
const withControls = (decoder: Decoder): Decoder =>
  decoder.decode(Uint8Array.of(0x1a)) === '\x1a'
    ? decoder
    : {
        decode: (bytes, options) =>
          Array.from(
            decoder.decode(bytes, options),
            (character) => controls.get(character) ?? character,
          ).join(''),
      }

const controls: ReadonlyMap<string, string> = new Map([
  ['\x1a', '\x7f'],
  ['\x1c', '\x1a'],
  ['\x7f', '\x1c'],
])

/** Rejects the characters that Node.js returns for characters of the extensions, which the encodings do not have otherwise. */
const withoutExtensions = (decoder: Decoder, name: string): Decoder => ({
  decode: (bytes, options) => {
    const text = decoder.decode(bytes, options)
    if (/[\x80-\x9f\ue000-\uf8ff]/.test(text)) throw new TypeError(`malformed ${name}`)
    return text
  },
})
