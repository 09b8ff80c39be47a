/** Objects: every member is looked at, and the object itself is the result when nothing became of any. */
import type { Functions, Of } from '../runtime.ts'
import { isPlain } from '../../confined.ts'
import { decodeBy, hasOnly, isRecord, rebuilding, refused, without } from '../runtime.ts'
import type { ObjectSchema } from '../schema.ts'
import { hiddenNames, isWrittenAsIs, shown } from '../schema.ts'

export const ofObject = (schema: ObjectSchema, of: Of): Functions => {
  const { codec, merged } = schema
  const members = schema.members.map((member) => ({
    ...member,
    ...of(member.schema),
    encoded: !isWrittenAsIs(member.schema),
  }))
  const declared = new Set(members.map(({ key }) => key))
  const hidden = hiddenNames(schema)
  const written = hidden.length === 0 ? members : members.filter((member) => !member.hidden)
  const shownNames = hidden.length === 0 ? declared : new Set(written.map(({ key }) => key))
  // io-ts makes a plain object of any other as soon as one member is encoded
  const copies = merged || hidden.length > 0 || members.some(({ encoded }) => encoded)
  const rebuildDecoded = rebuilding(
    schema,
    members.map(({ required }) => required),
    (value) => decodeBy(codec, value),
  )
  const rebuildEncoded = rebuilding(
    { ...shown(schema), drops: true },
    written.map(({ required, encoded }) => required && encoded),
    (value) => codec.encode(value),
  )
  /** Whether it has nothing but what is declared. Most have it in the order of declaration: then names are compared, and none looked up. */
  const isDeclared = (value: Fields): boolean => {
    let at = 0
    for (const name in value) if (members[at++]?.key !== name) return hasOnly(value, declared)
    return true
  }
  /** The first members' values; of most objects nothing becomes, so they are gathered only when something does. */
  const before = (some: typeof members, value: Fields, count: number): unknown[] =>
    some.slice(0, count).map(({ key }) => value[key])
  return {
    decode: (given) => {
      if (!isRecord(given)) return refused
      if (!isPlain(given)) return decodeBy(codec, given)
      const value = hidden.length === 0 ? given : without(given, hidden)
      let after: unknown[] | undefined
      let at = 0
      for (const { key, required, decode } of members) {
        const from = value[key]
        const decoded = decode(from)
        if (decoded === refused && (required || from !== undefined)) return refused
        const to = decoded === refused ? undefined : decoded
        if (to !== from || (required && isMissing(value, key))) after ??= before(members, value, at)
        after?.push(to)
        at++
      }
      if (after === undefined && isDeclared(value)) return value
      const all = before(members, value, members.length)
      return rebuildDecoded(value, all, after ?? all)
    },
    encode: (value) => {
      if (!isRecord(value) || (copies && !isPlain(value))) return codec.encode(value)
      let after: unknown[] | undefined
      let at = 0
      for (const { key, required, encoded, encode } of written) {
        const from = value[key]
        const to = encoded && (required || from !== undefined) ? encode(from) : from
        if (encoded && (to !== from || (required && isMissing(value, key))))
          after ??= before(written, value, at)
        after?.push(to)
        at++
      }
      if (after === undefined && hasOnly(value, shownNames)) return value
      const all = before(written, value, written.length)
      return rebuildEncoded(value, all, after ?? all)
    },
    is: (value) =>
      isRecord(value) &&
      members.every(({ key, required, is }) => {
        const member = value[key]
        return required ? !isMissing(value, key) && is(member) : member === undefined || is(member)
      }),
  }
}

type Fields = Readonly<Record<string, unknown>>

const isMissing = (value: Fields, key: string): boolean =>
  value[key] === undefined && !Object.hasOwn(value, key)
