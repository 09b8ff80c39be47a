/**
 * The elements of text forms that tie a local time to the time line: the offset from UTC and the time zone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-4
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-3
 */
import type { DateElement } from './date-elements.ts'

/** How an offset other than `Z` is spelled. */
export interface OffsetSpelling {
  readonly source: string
  readonly digits: DateElement['digits']
  /** Spells an offset given as `+01:00` or `+00:09:21`; what there is no place for is lost. */
  readonly write: (offset: string) => string
}

const hours = '[+-](?:[01]\\d|2[0-3])'
const sixtieth = '[0-5]\\d'

/** `+01`, or `+0130` when there are minutes. */
export const shortOffset: OffsetSpelling = {
  source: `${hours}(?:${sixtieth})?`,
  digits: 'varying',
  write: (offset) => offset.slice(0, 6).replace(/:(?:00)?/, ''),
}

/** `+0100` */
export const basicOffset: OffsetSpelling = {
  source: hours + sixtieth,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6).replace(':', ''),
}

/** `+01:00` */
export const extendedOffset: OffsetSpelling = {
  source: `${hours}:${sixtieth}`,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6),
}

/** `+0100`, or `+000921` when there are seconds. */
export const basicOffsetSeconds: OffsetSpelling = {
  source: `${hours}${sixtieth}(?:${sixtieth})?`,
  digits: 'varying',
  write: (offset) => offset.replaceAll(':', ''),
}

/** `+01:00`, or `+00:09:21` when there are seconds. */
export const extendedOffsetSeconds: OffsetSpelling = {
  source: `${hours}:${sixtieth}(?::${sixtieth})?`,
  digits: 'varying',
  write: (offset) => offset,
}

/** An offset in digits, zero too. */
export const numericOffset = ({ source, digits, write }: OffsetSpelling): DateElement => ({
  source,
  digits,
  apart: true,
  read: (fields, text) => {
    fields.offset = offsetOf(text)
  },
  write: ({ offset = zero }) => write(offset),
})

/** An offset that is written `Z` when it is zero; digits are read for zero too. */
export const zuluOffset = (spelling: OffsetSpelling): DateElement => {
  const numeric = numericOffset(spelling)
  return {
    ...numeric,
    source: `Z|${numeric.source}`,
    write: (fields) => ((fields.offset ?? zero) === zero ? 'Z' : numeric.write(fields)),
  }
}

const zero = '+00:00'

/** Zero has one sign only: `-00:00` says the same of an instant (RFC 9557, 2.2). */
const offsetOf = (text: string): string => {
  if (text.length === 1) return zero // Z
  if (text.length === 6 && text.charAt(3) === ':') return text === '-00:00' ? zero : text
  const digits = text.replace(/\D/g, '').padEnd(6, '0')
  const sign = text.startsWith('-') && digits !== '000000' ? '-' : '+'
  const seconds = digits.slice(4) === '00' ? '' : `:${digits.slice(4)}`
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2, 4)}${seconds}`
}

const zone = `[A-Za-z][A-Za-z0-9._+/-]{0,63}|${extendedOffset.source}`

/** A time zone by its name or its offset. */
export const timeZone: DateElement = {
  source: zone,
  digits: 'varying',
  apart: true,
  read: (fields, text) => {
    fields.timeZone = text === 'Z' ? zero : text
  },
  write: (fields) => (fields.timeZone === zero ? 'Z' : (fields.timeZone ?? '')),
}

/** A time zone in brackets after an offset. It is left out when it says no more than the offset. */
export const timeZoneSuffix: DateElement = {
  source: `(?:\\[(?:${zone})\\])?`,
  digits: 'none',
  read: (fields, text) => {
    if (text !== '') fields.timeZone = text.slice(1, -1)
  },
  write: (fields) => (isOffset(fields.timeZone ?? '') ? '' : `[${fields.timeZone}]`),
}

const isOffset = (zoneId: string): boolean => /^[+-]/.test(zoneId)
