/**
 * Compiles tables of transitions, which define the grammar of messages, for state machines that read one byte at a time.
 *
 * A table names the next state for each state and each class of bytes. All other bytes lead to the state {@link error}, so that a
 * machine is defined for every input.
 */

import * as R from 'fp-ts/lib/ReadonlyRecord.js'

/** The classes of bytes. A byte belongs to exactly one class. */
const classes = {
  /** Control characters. */
  control: 0,
  cr: 1,
  lf: 2,
  space: 3,
  tab: 4,
  colon: 5,
  semicolon: 6,
  equals: 7,
  quote: 8,
  backslash: 9,
  /** Hexadecimal digits. */
  hex: 10,
  /** Other characters of tokens (RFC 9110, 5.6.2). */
  word: 11,
  /** Other visible US-ASCII characters. */
  other: 12,
  /** Bytes above 0x7f. They are allowed in header values (RFC 9110, 5.5: obs-text). */
  obsolete: 13,
} as const

/** Sets of classes that tables can name. A class that is named itself takes precedence. */
const groups = {
  token: ['hex', 'word'],
  visible: ['colon', 'semicolon', 'equals', 'quote', 'backslash', 'hex', 'word', 'other'],
} as const satisfies Readonly<Record<string, ReadonlyArray<keyof typeof classes>>>

/** The characters that have a class of their own, in the order of the classes from `cr` to `backslash`. */
const named = '\r\n \t:;="\\'

const classOfByte = (byte: number): number => {
  const character = String.fromCharCode(byte)
  const index = named.indexOf(character)
  if (index >= 0) return classes.cr + index
  if (byte > 0x7f) return classes.obsolete
  if (/[\da-f]/i.test(character)) return classes.hex
  if (/[!#$%&'*+\-.^_`|~\w]/.test(character)) return classes.word
  return byte > 0x20 && byte < 0x7f ? classes.other : classes.control
}

/** The class of each byte. */
export const classOf = Uint8Array.from({ length: 256 }, (_, byte) => classOfByte(byte))

/** The state after a byte that the grammar does not allow. */
export const error = 0

/** Number of bits of an index into a compiled table that hold the class. The other bits hold the state. */
export const classBits = 4

/** Names the next state for each state and class, or group of classes. */
export type Transitions<State extends string> = Readonly<
  Record<
    State,
    Readonly<Partial<Record<keyof typeof classes | keyof typeof groups, NoInfer<State>>>>
  >
>

/**
 * Compiles a table of transitions. Returns the numbers of the states, in the order of the table, starting with 1, and the next states by
 * `state << classBits | class`.
 */
export const compileTransitions = <const State extends string>(transitions: Transitions<State>) => {
  const names: ReadonlyArray<string> = Object.keys(transitions)
  const numberOf = (name: string): number => names.indexOf(name) + 1
  const table = new Uint8Array((names.length + 1) << classBits)
  for (const [state, row] of Object.entries<Transitions<State>[State]>(transitions)) {
    const set = (classNumber: number, next: string): void => {
      table[(numberOf(state) << classBits) | classNumber] = numberOf(next)
    }
    const entries = Object.entries<string | undefined>(row)
    for (const [name, next = ''] of entries)
      if (isGroup(name)) for (const member of groups[name]) set(classes[member], next)
    for (const [name, next = ''] of entries) if (isClass(name)) set(classes[name], next)
  }
  return { states: R.mapWithIndex((name: State) => numberOf(name))(transitions), table }
}

const isGroup = (name: string): name is keyof typeof groups => Object.hasOwn(groups, name)
const isClass = (name: string): name is keyof typeof classes => Object.hasOwn(classes, name)
