/** Generates texts and numbers for the shapes of schemas. */
import type { Random } from './random.ts'
import type { CreateText } from './sample-text.ts'
import {
  rangeForName,
  sentence,
  textForName,
  textsOfFormats,
  textsOfPatterns,
  word,
} from './sample-text.ts'
import type { Shape } from './schema-shape.ts'
import { compilePattern, textFromPattern } from './text-from-pattern.ts'

/** Number of generated texts that are compared with patterns and lengths. */
const maxTrials = 60

/** Returns a text, or `undefined` if no generated text matches the patterns and the lengths. `name` is the name of the member. */
export const textOfShape = (shape: Shape, random: Random, name: string): string | undefined => {
  const { patterns, minLength, maxLength, format } = shape
  const expressions = patterns.flatMap((source) => compilePattern(source) ?? [])
  const fits = (text: string): boolean => {
    const { length } = Array.from(text)
    return (
      length >= minLength &&
      length <= maxLength &&
      expressions.every((pattern) => pattern.test(text))
    )
  }
  for (const create of suggestions(format, name, expressions)) {
    const text = create(random.fork('text'))
    if (fits(text)) return text
  }
  return expressions.length === 0
    ? padded(random, minLength, maxLength)
    : matching(expressions, random, minLength, fits)
}

const suggestions = (
  format: string | undefined,
  name: string,
  expressions: ReadonlyArray<RegExp>,
): ReadonlyArray<CreateText> => {
  const ofFormat = format === undefined ? undefined : textsOfFormats.get(format)
  const ofName = textForName(name)
  return [
    ...(ofFormat === undefined ? [] : [ofFormat]),
    ...(ofName === undefined ? [] : [ofName]),
    ...(expressions.some(({ source }) => /\\d|\[0/.test(source)) ? textsOfPatterns : []),
    ...(expressions.length === 0 ? [word] : []),
  ]
}

const padded = (random: Random, minLength: number, maxLength: number): string | undefined => {
  if (minLength > maxLength) return undefined
  let text = word(random)
  for (let index = 0; text.length < minLength; index++)
    text += ` ${sentence(random.fork(index)).toLowerCase()}`
  const length = Math.max(minLength, Math.min(text.length, maxLength))
  // the texts contain only ASCII characters
  return text.slice(0, Math.min(length, Math.max(minLength, 80))).padEnd(minLength, 'x')
}

const matching = (
  expressions: ReadonlyArray<RegExp>,
  random: Random,
  minLength: number,
  fits: (text: string) => boolean,
): string | undefined => {
  const creators = expressions.flatMap((expression) => textFromPattern(expression) ?? [])
  for (let trial = 0; trial < maxTrials; trial++) {
    const create = creators[trial % Math.max(1, creators.length)]
    const growth = [8, 0, 3, minLength, 2 * minLength][Math.floor(trial / 4) % 5] ?? 8
    const text = create?.(random.fork(trial), growth)
    if (text !== undefined && fits(text)) return text
  }
  return undefined
}

/** Returns a number within the bounds, or `undefined` if no number is within them. */
export const numberOfShape = (
  { lower, upper, excludesLower, excludesUpper, step }: Shape,
  random: Random,
  name: string,
  isInteger: boolean,
): number | undefined => {
  const [suggestedMin, suggestedMax] = rangeForName(name)
  const unit = step ?? (isInteger ? 1 : 0.01)
  const isSuggested = Math.max(lower, suggestedMin) < Math.min(upper, suggestedMax)
  const min = isSuggested
    ? Math.max(lower, suggestedMin)
    : lower > -Infinity
      ? lower
      : Math.min(upper, 1000) - 1000
  const max = isSuggested ? Math.min(upper, suggestedMax) : Math.min(upper, min + 1000)
  const isInside = (value: number): boolean =>
    (excludesLower ? value > lower : value >= lower) &&
    (excludesUpper ? value < upper : value <= upper)
  const first = Math.ceil(min / unit)
  const last = Math.floor(max / unit)
  if (first <= last) {
    const multiple = (index: number): number =>
      Number.isInteger(unit) ? index * unit : Number((index * unit).toFixed(6))
    for (const index of [random.integer(first, last), last, first, first + 1, last - 1])
      if (isInside(multiple(index))) return multiple(index)
  }
  const middle = (min + max) / 2
  return isInteger || step !== undefined || !isInside(middle) ? undefined : middle
}
