/**
 * The elements of text formats for UTC offsets and time zones.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-4
 */
import type { DateFields } from './calendar.ts'
import {
  type DateElement,
  hourOfDay,
  noMatch,
  sixtieth,
  twoDigits,
  twoDigitsAt,
} from './date-elements.ts'

/** A numeric notation for UTC offsets. */
export interface OffsetNotation {
  /** The text between the units. */
  readonly separator: '' | ':'
  /** Whether minutes are always present, or only if they are not zero. */
  readonly minutes: 'required' | 'optional'
  /** Whether seconds are appended if they are not zero. Otherwise, they are omitted. */
  readonly hasSeconds: boolean
  /** Whether parsing also accepts offsets without a separator, and without minutes. */
  readonly isLenient?: boolean
}

/** A notation with hours, as in `+01`. Minutes are appended if they are not zero, as in `+0130`. */
export const shortOffset: OffsetNotation = {
  separator: '',
  minutes: 'optional',
  hasSeconds: false,
}

/** A notation with hours and minutes, as in `+0100`. */
export const basicOffset: OffsetNotation = {
  separator: '',
  minutes: 'required',
  hasSeconds: false,
}

/** A notation with hours and minutes, separated by a colon, as in `+01:00`. */
export const extendedOffset: OffsetNotation = { ...basicOffset, separator: ':' }

/** A notation with hours and minutes, as in `+0100`. Seconds are appended if they are not zero, as in `+000921`. */
export const basicOffsetSeconds: OffsetNotation = { ...basicOffset, hasSeconds: true }

/**
 * A notation with hours and minutes, separated by a colon, as in `+01:00`. Seconds are appended if they are not zero, as in
 * `+00:09:21`.
 */
export const extendedOffsetSeconds: OffsetNotation = { ...extendedOffset, hasSeconds: true }

/** The notation in ISO 8601, as in `+01:00`. Parsing also accepts `+0100` and `+01`, which are common. */
export const isoOffset: OffsetNotation = { ...extendedOffsetSeconds, isLenient: true }

/** Returns the source of a regular expression that matches an offset. */
const sourceOf = ({ separator, minutes, hasSeconds, isLenient }: OffsetNotation): string => {
  const units = (mark: string): string =>
    `${mark}${sixtieth}${hasSeconds ? `(?:${mark}${sixtieth})?` : ''}`
  return `[+-]${hourOfDay}${
    isLenient
      ? `(?:${units(':')}|${units('')})?`
      : minutes === 'optional'
        ? `(?:${units(separator)})?`
        : units(separator)
  }`
}

/** Formats an offset in seconds, as in `+01:00`. Units that the notation does not support are omitted. */
export const formatOffset = (
  offset: number,
  { separator, minutes, hasSeconds }: OffsetNotation,
): string => {
  const size = Math.abs(offset)
  const minute = Math.floor(size / 60) % 60
  const second = size % 60
  return (
    (offset < 0 ? '-' : '+') +
    twoDigits(Math.floor(size / 3600)) +
    (minutes === 'optional' && minute === 0 ? '' : separator + twoDigits(minute)) +
    (hasSeconds && second > 0 ? separator + twoDigits(second) : '')
  )
}

const plus = '+'.charCodeAt(0)
const minus = '-'.charCodeAt(0)

/** Parses a separator and two digits from 00 to 59 at `start`. Returns `noMatch` for other texts. */
const sixtiethAt = (text: string, start: number, separator: string): number => {
  if (!text.startsWith(separator, start)) return noMatch
  const value = twoDigitsAt(text, start + separator.length)
  return value < 60 ? value : noMatch
}

/**
 * Sets the offset in fields from the longest offset at `start`, and returns its end, or `noMatch`. `-00:00` has the same meaning as `Z`
 * (RFC 9557, 2.2).
 */
const scanOffset = (
  { minutes, hasSeconds, isLenient, ...notation }: OffsetNotation,
  fields: OffsetFields,
  text: string,
  start: number,
): number => {
  const sign = text.charCodeAt(start)
  const hour = twoDigitsAt(text, start + 1)
  if ((sign !== plus && sign !== minus) || hour < 0 || hour > 23) return noMatch
  const afterHour = start + 3
  const separator = isLenient && text.charAt(afterHour) !== ':' ? '' : notation.separator
  const unit = separator.length + 2
  const minute = sixtiethAt(text, afterHour, separator)
  if (minute < 0 && minutes === 'required' && !isLenient) return noMatch
  const second = hasSeconds && minute >= 0 ? sixtiethAt(text, afterHour + unit, separator) : noMatch
  const size = (hour * 60 + Math.max(minute, 0)) * 60 + Math.max(second, 0)
  fields.offset = sign === minus ? 0 - size : size
  fields.isUtc = sign === minus && size === 0
  return afterHour + (minute < 0 ? 0 : unit) + (second < 0 ? 0 : unit)
}

type OffsetFields = Pick<DateFields, 'offset' | 'isUtc'>

const noOffset = (): OffsetFields => ({ offset: undefined, isUtc: false })

/** Whether the identifier of a time zone is an offset. */
export const isOffset = (zoneId: string): boolean =>
  zoneId.startsWith('+') || zoneId.startsWith('-')

/** Parses an offset such as `+01:00`, `+0100` or `+00:09:21`. Returns `undefined` for other texts. */
export const parseOffset = (text: string): number | undefined => {
  const fields = noOffset()
  return scanOffset(isoOffset, fields, text, 0) === text.length ? fields.offset : undefined
}

/** Creates an element for an offset that is always numeric, even if it is zero. */
export const numericOffset = (notation: OffsetNotation): DateElement => ({
  source: sourceOf(notation),
  digits: notation.hasSeconds || notation.minutes === 'optional' ? 'variable' : 'fixed',
  endsDigits: true,
  scan: (fields, text, start) => scanOffset(notation, fields, text, start),
  write: ({ offset = 0 }) => formatOffset(offset, notation),
})

/**
 * Creates an element for an offset. An offset of zero is formatted as `Z`. Parsing also accepts a numeric offset of zero.
 * `ignoreCase` accepts `z`.
 */
export const zuluOffset = (
  notation: OffsetNotation,
  { ignoreCase = false }: { readonly ignoreCase?: boolean } = {},
): DateElement => {
  const numeric = numericOffset(notation)
  return {
    ...numeric,
    source: `${ignoreCase ? '[Zz]' : 'Z'}|${numeric.source}`,
    scan: (fields, text, start) => {
      const character = text.charAt(start)
      if (character !== 'Z' && !(ignoreCase && character === 'z'))
        return numeric.scan(fields, text, start)
      fields.offset = 0
      fields.isUtc = true
      return start + 1
    },
    write: (fields) => ((fields.offset ?? 0) === 0 ? 'Z' : numeric.write(fields)),
  }
}

/**
 * Creates an element for an offset after `GMT`, as in `GMT+1` or, if `isPadded` is `true`, in `GMT+01:00`. An offset of zero is
 * `GMT`.
 */
export const gmtOffset = (isPadded: boolean): DateElement => {
  const source = isPadded
    ? `GMT(?:[+-]${hourOfDay}:${sixtieth})?`
    : `GMT(?:[+-](?:2[0-3]|[01]?\\d)(?::${sixtieth})?)?`
  const expression = new RegExp(`^${source}`)
  return {
    source,
    digits: 'variable',
    endsDigits: true,
    scan: (fields, text, start) => {
      const match = expression.exec(text.slice(start, start + 9))?.[0]
      if (match === undefined) return noMatch
      const [hours = '', minutes = '00'] = match.slice(4).split(':')
      fields.offset = parseOffset(`${match.charAt(3) || '+'}${hours.padStart(2, '0')}:${minutes}`)
      return start + match.length
    },
    write: ({ offset = 0 }) => {
      if (offset === 0) return 'GMT'
      const text = formatOffset(offset, extendedOffset)
      return `GMT${isPadded ? text : text.replace(/:00$/, '').replace(/(?<=^.)0/, '')}`
    },
  }
}

const zoneOffset: OffsetNotation = { ...extendedOffset, isLenient: true }

const zone = `[A-Za-z][A-Za-z0-9._+/-]{0,63}|${sourceOf(zoneOffset)}`

/** Maximum length of the name of a time zone. */
const maxNameLength = 64

/** Returns the end of the longest name or offset of a time zone at `start`, or `noMatch`. */
const endOfZone = (text: string, start: number): number => {
  if (!isLetter(text.charCodeAt(start))) return scanOffset(zoneOffset, noOffset(), text, start)
  const last = Math.min(start + maxNameLength, text.length)
  let end = start + 1
  while (end < last && isNameCharacter(text.charCodeAt(end))) end++
  return end
}

const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Whether a character is a letter, a digit, or one of `.`, `_`, `+`, `/` and `-`. */
const isNameCharacter = (code: number): boolean =>
  isLetter(code) || (code >= 45 && code <= 57) || code === 95 || code === 43

const utc = '+00:00'

/** An element for the name or offset of a time zone. */
export const timeZone: DateElement = {
  source: zone,
  digits: 'variable',
  endsDigits: true,
  scan: (fields, text, start) => {
    const end = endOfZone(text, start)
    if (end === noMatch) return noMatch
    const name = text.slice(start, end)
    fields.timeZone = name === 'Z' ? utc : name
    return end
  },
  write: (fields) => (fields.timeZone === utc ? 'Z' : (fields.timeZone ?? '')),
}

/**
 * An optional element for a time zone in brackets after an offset, as in `[Europe/Paris]` or `[!Europe/Paris]`. The time zone is not
 * written if it is itself an offset.
 */
export const timeZoneSuffix: DateElement = {
  source: `(?:\\[!?(?:${zone})\\])?`,
  digits: 'none',
  scan: (fields, text, start) => {
    if (!text.startsWith('[', start)) return start
    const first = text.startsWith('!', start + 1) ? start + 2 : start + 1
    const end = endOfZone(text, first)
    if (end === noMatch || !text.startsWith(']', end)) return start
    fields.timeZone = text.slice(first, end)
    return end + 1
  },
  write: (fields) => (isOffset(fields.timeZone ?? '') ? '' : `[${fields.timeZone}]`),
}

/**
 * An optional element for a time zone in brackets that is not part of the value. It is not written, and only compared with the offset
 * if it is critical (RFC 9557, 3.4).
 */
export const ignoredTimeZone: DateElement = {
  ...timeZoneSuffix,
  scan: (fields, text, start) => {
    const end = timeZoneSuffix.scan(fields, text, start)
    if (!text.startsWith('[!', start)) fields.timeZone = undefined
    return end
  },
  write: () => '',
}

const tag = '(?:[a-z_][a-z0-9_-]{0,31}=[A-Za-z0-9-]{1,64}|!u-ca=iso8601)'

const tags = `(?:\\[${tag}\\]){0,4}`

const startsWithTags = new RegExp(`^${tags}`)

/**
 * An element for up to four tags such as `[u-ca=iso8601]`, which are ignored. The only critical tag that is accepted is the calendar of all
 * values.
 */
export const suffixTags: DateElement = {
  source: tags,
  digits: 'none',
  scan: (_, text, start) =>
    text.startsWith('[', start)
      ? start + (startsWithTags.exec(text.slice(start, start + 500))?.[0].length ?? 0)
      : start,
  write: () => '',
}
