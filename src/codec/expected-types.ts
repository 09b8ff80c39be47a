/** Words the validation errors of codecs that report no messages of their own: `must be an integer`. */

/** The noun phrases of predefined codecs. Constraints append to the name of a codec: `int from 1 to 9`. */
const nounPhrases: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['bigint', 'an integer'],
  ['decimal', 'a decimal number'],
  ['boolean', 'a boolean'],
  ['uuid', 'a UUID'],
  ['plainDate', 'a date'],
  ['plainTime', 'a time'],
  ['plainDateTime', 'a date and time'],
  ['zonedDateTime', 'a date and time with a time zone'],
  ['offsetDateTime', 'a date and time with an offset'],
  ['instant', 'a date and time with an offset'],
  ['offsetTime', 'a time with an offset'],
  ['year', 'a year'],
  ['yearMonth', 'a year and month'],
  ['duration', 'a duration'],
  ['list', 'a list'],
  ['set', 'a set'],
  ['sorted', 'a sorted'],
])

/** Returns the noun phrase of a codec name. Names of the application's codecs are returned unchanged. */
const nounPhrase = (name: string): string => {
  const space = name.indexOf(' ')
  if (space < 0) return nounPhrases.get(name) ?? name
  const phrase = nounPhrases.get(name.slice(0, space))
  return phrase === undefined ? name : `${phrase}${name.slice(space)}`
}

/**
 * Words a validation error by the names of the expected codecs: `must be an integer or null`, or
 * `is required: an integer` for a missing value. `undefined` is not mentioned.
 */
export const expectedTypes = (names: ReadonlyArray<string>, isMissing = false): string => {
  const phrases = new Set(names.filter((name) => name !== 'undefined').map(nounPhrase))
  return `${isMissing ? 'is required: ' : 'must be '}${Array.from(phrases).join(' or ')}`
}
