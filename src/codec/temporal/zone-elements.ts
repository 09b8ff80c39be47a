/**
 * The elements of text formats for the offset from UTC and the time zone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-4
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-3
 */
import type { DateElement } from './date-elements.ts'

/** A numeric notation of offsets. */
export interface OffsetNotation {
  readonly source: string
  readonly digits: DateElement['digits']
  /** Formats an offset given as `+01:00` or `+00:09:21`. Drops units that the notation does not have. */
  readonly write: (offset: string) => string
}

const hours = '[+-](?:[01]\\d|2[0-3])'
const sixtieth = '[0-5]\\d'

/** `+01`, or `+0130` if the minutes are not zero. */
export const shortOffset: OffsetNotation = {
  source: `${hours}(?:${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset.slice(0, 6).replace(/:(?:00)?/, ''),
}

/** `+0100` */
export const basicOffset: OffsetNotation = {
  source: hours + sixtieth,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6).replace(':', ''),
}

/** `+01:00` */
export const extendedOffset: OffsetNotation = {
  source: `${hours}:${sixtieth}`,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6),
}

/** `+0100`, or `+000921` if the seconds are not zero. */
export const basicOffsetSeconds: OffsetNotation = {
  source: `${hours}${sixtieth}(?:${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset.replaceAll(':', ''),
}

/** `+01:00`, or `+00:09:21` if the seconds are not zero. */
export const extendedOffsetSeconds: OffsetNotation = {
  source: `${hours}:${sixtieth}(?::${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset,
}

/** Creates an offset that is always numeric, also for zero. */
export const numericOffset = ({ source, digits, write }: OffsetNotation): DateElement => ({
  source,
  digits,
  endsDigits: true,
  read: (fields, text) => {
    fields.offset = offsetOf(text)
  },
  write: ({ offset = zero }) => write(offset),
})

/** Creates an offset that is formatted as `Z` for zero. Parsing also accepts a numeric zero. */
export const zuluOffset = (notation: OffsetNotation): DateElement => {
  const numeric = numericOffset(notation)
  return {
    ...numeric,
    source: `Z|${numeric.source}`,
    write: (fields) => ((fields.offset ?? zero) === zero ? 'Z' : numeric.write(fields)),
  }
}

const zero = '+00:00'

/** Normalizes an offset. `-00:00` becomes `+00:00`, which is the same instant (RFC 9557, 2.2). */
const offsetOf = (text: string): string => {
  if (text.length === 1) return zero // Z
  if (text.length === 6 && text.charAt(3) === ':') return text === '-00:00' ? zero : text
  const digits = text.replace(/\D/g, '').padEnd(6, '0')
  const sign = text.startsWith('-') && digits !== '000000' ? '-' : '+'
  const seconds = digits.slice(4) === '00' ? '' : `:${digits.slice(4)}`
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2, 4)}${seconds}`
}

const zone = `[A-Za-z][A-Za-z0-9._+/-]{0,63}|${extendedOffset.source}`

/** The name or offset of a time zone. */
export const timeZone: DateElement = {
  source: zone,
  digits: 'variable',
  endsDigits: true,
  read: (fields, text) => {
    fields.timeZone = text === 'Z' ? zero : text
  },
  write: (fields) => (fields.timeZone === zero ? 'Z' : (fields.timeZone ?? '')),
}

/** A time zone in brackets after an offset. Omitted if it is the same offset. */
export const timeZoneSuffix: DateElement = {
  source: `(?:\\[(?:${zone})\\])?`,
  digits: 'none',
  read: (fields, text) => {
    if (text !== '') fields.timeZone = text.slice(1, -1)
  },
  write: (fields) => (isOffset(fields.timeZone ?? '') ? '' : `[${fields.timeZone}]`),
}

const isOffset = (zoneId: string): boolean => /^[+-]/.test(zoneId)
