/** Plausible texts, selected by format or by the name of a member. */
import type { Random } from './random.ts'

/** Creates a text. */
export type CreateText = (random: Random) => string

const first = ['Ada', 'Boris', 'Chen', 'Dora', 'Emil', 'Fatima', 'Grace', 'Hugo', 'Ines'] as const
const last = ['Adler', 'Brandt', 'Costa', 'Dupont', 'Evans', 'Fischer', 'Garcia', 'Haas'] as const
const nouns = [
  'river',
  'garden',
  'lamp',
  'harbour',
  'letter',
  'winter',
  'mirror',
  'forest',
] as const
const adjectives = ['quiet', 'red', 'early', 'hidden', 'small', 'open', 'blue', 'distant'] as const
const cities = ['Berlin', 'Lisbon', 'Oslo', 'Prague', 'Vienna', 'Zurich'] as const
const countries = ['AT', 'CH', 'DE', 'FR', 'NO', 'PT'] as const
const streets = ['Main Street', 'Mill Lane', 'Park Road', 'Station Street'] as const
const currencies = ['CHF', 'EUR', 'GBP', 'USD'] as const
const languages = ['de', 'en', 'fr', 'pt'] as const

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const phrase = (random: Random): string => `${random.pick(adjectives)} ${random.pick(nouns)}`

/** Creates a single word. */
export const word: CreateText = (random) => random.pick(nouns)

/** Creates a sentence. */
export const sentence: CreateText = (random) =>
  capitalize(`the ${phrase(random)} is near the ${phrase(random)}.`)

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => String(random.integer(0, 9))).join('')

const hex = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join('')

const two = (value: number): string => String(value).padStart(2, '0')

const date: CreateText = (random) =>
  `${random.integer(2025, 2026)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`

const time: CreateText = (random) =>
  [random.integer(0, 23), random.integer(0, 59), random.integer(0, 59)].map(two).join(':')

const dateTime: CreateText = (random) => `${date(random)}T${time(random)}`

const uuid: CreateText = (random) =>
  [
    hex(random, 8),
    hex(random, 4),
    `4${hex(random, 3)}`,
    `${random.pick(['8', '9', 'a', 'b'])}${hex(random, 3)}`,
    hex(random, 12),
  ].join('-')

const email: CreateText = (random) =>
  `${random.pick(first)}.${random.pick(last)}@example.com`.toLowerCase()

const path: CreateText = (random) => `/${random.pick(nouns)}/${random.integer(1, 999)}`
const uri: CreateText = (random) => `https://example.com${path(random)}`
const hostname: CreateText = (random) => `${random.pick(nouns)}.example.com`
const ipv4: CreateText = (random) => `192.0.2.${random.integer(1, 254)}`
const ipv6: CreateText = (random) => `2001:db8::${random.integer(1, 0xffff).toString(16)}`

/** The texts of formats (JSON Schema Validation, 7.3, and the format registry of OpenAPI). */
export const textsOfFormats: ReadonlyMap<string, CreateText> = new Map([
  ['date', date],
  ['time', (random) => `${time(random)}Z`],
  ['time-local', time],
  ['date-time', (random) => `${dateTime(random)}Z`],
  ['date-time-local', dateTime],
  ['duration', (random) => `PT${random.integer(1, 59)}M`],
  ['uuid', uuid],
  ['email', email],
  ['idn-email', email],
  ['uri', uri],
  ['iri', uri],
  ['uri-reference', path],
  ['iri-reference', path],
  ['uri-template', (random) => `${path(random)}{?page}`],
  ['json-pointer', path],
  ['hostname', hostname],
  ['idn-hostname', hostname],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['byte', (random) => btoa(phrase(random))],
  ['base64url', (random) => btoa(phrase(random)).replace(/=+$/, '')],
  ['media-range', () => 'text/plain'],
  ['regex', () => '^[a-z]+$'],
])

/** Texts that dates, numbers and similar patterns often match. */
export const textsOfPatterns: readonly [CreateText, ...ReadonlyArray<CreateText>] = [
  (random) => `${dateTime(random)}Z`,
  (random) => `${dateTime(random)}+01:00`,
  (random) => `${dateTime(random)}+01:00[Europe/Paris]`,
  dateTime,
  date,
  time,
  (random) => `${time(random)}+01:00`,
  (random) => date(random).slice(0, 7),
  (random) => `PT${random.integer(1, 59)}M`,
  (random) => `${random.integer(1, 999)}.${two(random.integer(0, 99))}`,
  (random) => `978${digits(random, 10)}`,
  uuid,
]

const texts: ReadonlyArray<readonly [pattern: RegExp, create: CreateText]> = [
  [/email$/, email],
  [/(ur[il]|href|link|website|homepage|avatar|image)$/, uri],
  [/(phone|mobile|fax|tel)$/, (random) => `+49 30 ${digits(random, 7)}`],
  [/isbn$/, (random) => `978${digits(random, 10)}`],
  [/uuid$/, uuid],
  [/(^id|key|token|code|slug)$/, (random) => `${random.pick(nouns)}-${random.integer(1, 999)}`],
  [/(first|given)name$/, (random) => random.pick(first)],
  [/(last|family|sur)name$/, (random) => random.pick(last)],
  [/(user|login|nick)(name)?$/, (random) => random.pick(first).toLowerCase()],
  [/(title|subject|headline|label)$/, (random) => capitalize(`the ${phrase(random)}`)],
  [
    /(name|author|owner|creator|member|customer|contact|person|by)$/,
    (random) => `${random.pick(first)} ${random.pick(last)}`,
  ],
  [/(city|town)$/, (random) => random.pick(cities)],
  [/country(code)?$/, (random) => random.pick(countries)],
  [/street|address$/, (random) => `${random.pick(streets)} ${random.integer(1, 99)}`],
  [/(zip|post(al)?code)$/, (random) => digits(random, 5)],
  [/currency$/, (random) => random.pick(currencies)],
  [/(language|locale|lang)$/, (random) => random.pick(languages)],
  [/colou?r$/, (random) => `#${hex(random, 6)}`],
  [/(created|updated|modified|deleted|published)(at|on)?$/, (random) => `${dateTime(random)}Z`],
  [/(date|day|birthday)$/, date],
  [/(description|summary|text|comment|message|detail|note|content|body)s?$/, sentence],
]

/** Returns the function that creates texts for a member with this name, or `undefined` if the name suggests no text. */
export const textForName = (name: string): CreateText | undefined => {
  const normalized = name.toLowerCase().replace(/[^a-z]/g, '')
  return texts.find(([pattern]) => pattern.test(normalized))?.[1]
}

const ranges: ReadonlyArray<readonly [RegExp, min: number, max: number]> = [
  [/(year|published|released|since)$/, 1950, 2025],
  [/age$/, 18, 80],
  [/month$/, 1, 12],
  [/(day|hour)s?$/, 1, 23],
  [/(percent|percentage|ratio)$/, 0, 100],
  [/(price|amount|cost|total|sum)$/, 1, 500],
  [/(page|size|count|quantity|copies|pages?|stars|rating)$/, 1, 20],
  [/lat(itude)?$/, -80, 80],
  [/(lon|lng)(gitude)?$/, -179, 179],
]

/** Returns the range of numbers that the name of a member suggests. */
export const rangeForName = (name: string): readonly [min: number, max: number] => {
  const normalized = name.toLowerCase().replace(/[^a-z]/g, '')
  const [, min = 1, max = 1000] = ranges.find(([pattern]) => pattern.test(normalized)) ?? []
  return [min, max]
}
