/**
 * The elements of text formats for UTC offsets and time zones.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-4
 */
import type { DateFields } from './calendar.ts'
import { type DateElement, hourOfDay, sixtieth, twoDigits } from './date-elements.ts'

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

/** Sets the offset in fields. `-00:00` has the same meaning as `Z` (RFC 9557, 2.2). */
const readOffset = (fields: OffsetFields, text: string): void => {
  const digits = text.slice(1).replaceAll(':', '')
  const unitAt = (index: number): number => Number(digits.slice(index, index + 2))
  const size = (unitAt(0) * 60 + unitAt(2)) * 60 + unitAt(4)
  const isNegative = text.startsWith('-')
  fields.offset = isNegative ? 0 - size : size
  fields.isUtc = isNegative && size === 0
}

type OffsetFields = Pick<DateFields, 'offset' | 'isUtc'>

/** Whether the identifier of a time zone is an offset. */
export const isOffset = (zoneId: string): boolean =>
  zoneId.startsWith('+') || zoneId.startsWith('-')

/** Parses an offset such as `+01:00`, `+0100` or `+00:09:21`. Returns `undefined` for other texts. */
export const parseOffset = (text: string): number | undefined => {
  const fields: OffsetFields = { offset: undefined, isUtc: false }
  if (isoExpression.test(text)) readOffset(fields, text)
  return fields.offset
}

const isoExpression = new RegExp(`^${sourceOf(isoOffset)}$`)

/** Creates an element for an offset that is always numeric, even if it is zero. */
export const numericOffset = (notation: OffsetNotation): DateElement => ({
  source: sourceOf(notation),
  digits: notation.hasSeconds || notation.minutes === 'optional' ? 'variable' : 'fixed',
  endsDigits: true,
  read: readOffset,
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
    read: (fields, text) => {
      if (text !== 'Z' && text !== 'z') return readOffset(fields, text)
      fields.offset = 0
      fields.isUtc = true
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
  return {
    source,
    digits: 'variable',
    endsDigits: true,
    read: (fields, text) => {
      const [hours = '', minutes = '00'] = text.slice(4).split(':')
      fields.offset = parseOffset(`${text.charAt(3) || '+'}${hours.padStart(2, '0')}:${minutes}`)
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

const utc = '+00:00'

/** An element for the name or offset of a time zone. */
export const timeZone: DateElement = {
  source: zone,
  digits: 'variable',
  endsDigits: true,
  read: (fields, text) => {
    fields.timeZone = text === 'Z' ? utc : text
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
  read: (fields, text) => {
    if (text !== '') fields.timeZone = text.replaceAll(/^\[!?|\]$/g, '')
  },
  write: (fields) => (isOffset(fields.timeZone ?? '') ? '' : `[${fields.timeZone}]`),
}

/**
 * An optional element for a time zone in brackets that is not part of the value. It is not written, and only compared with the offset
 * if it is critical (RFC 9557, 3.4).
 */
export const ignoredTimeZone: DateElement = {
  ...timeZoneSuffix,
  read: (fields, text) => {
    if (text.startsWith('[!')) timeZoneSuffix.read(fields, text)
  },
  write: () => '',
}

const tag = '(?:[a-z_][a-z0-9_-]{0,31}=[A-Za-z0-9-]{1,64}|!u-ca=iso8601)'

/**
 * An element for up to four tags such as `[u-ca=iso8601]`, which are ignored. The only critical tag that is accepted is the calendar of all
 * values.
 */
export const suffixTags: DateElement = {
  source: `(?:\\[${tag}\\]){0,4}`,
  digits: 'none',
  read: () => undefined,
  write: () => '',
}
