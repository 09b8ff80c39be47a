/** Records: one codec for all members, and a test for their names. */
import type { Functions, Of } from '../runtime.ts'
import { isPlain } from '../../confined.ts'
import { decodeBy, isRecord, refused } from '../runtime.ts'
import type { RecordSchema } from '../schema.ts'
import { isWrittenAsIs } from '../schema.ts'
import { testing } from './testing.ts'

export const ofRecord = ({ domain, codomain, drops, codec }: RecordSchema, of: Of): Functions => {
  const isKey = testing(domain)
  const { decode, encode, is } = of(codomain)
  // io-ts makes a new object when members are encoded
  const copies = !isWrittenAsIs(codomain)
  // never a member: results are written by assignment
  const hasRoom = (key: string): boolean => key !== '__proto__' && isKey(key)
  return {
    decode: (value) => {
      if (!isRecord(value) || !isPlain(value)) return decodeBy(codec, value)
      const result: Record<string, unknown> = {}
      let same = true
      for (const key of Object.keys(value)) {
        if (!hasRoom(key)) {
          if (!drops) return decodeBy(codec, value)
          same = false
          continue
        }
        const decoded = decode(value[key])
        if (decoded === refused) return refused
        if (decoded !== value[key]) same = false
        result[key] = decoded
      }
      return same ? value : result
    },
    encode: (value) => {
      if (!isRecord(value) || !isPlain(value)) return codec.encode(value)
      const result: Record<string, unknown> = {}
      let same = !copies
      for (const key of Object.keys(value)) {
        if (hasRoom(key)) result[key] = encode(value[key])
        else same = false
      }
      return same ? value : result
    },
    is: (value) =>
      isRecord(value)
        ? Object.keys(value).every((key) => !isKey(key) || is(value[key]))
        : codec.is(value),
  }
}
