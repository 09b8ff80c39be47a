/**
 * Generates the reference of settings in the guides from the table in the code: `.scripts/reference.mjs` writes it, and
 * `reference.test.ts` compares it with the file.
 */
import { readFileSync } from 'node:fs'
import * as O from 'fp-ts/lib/Option.js'
import { durationMillis } from '../../src/codec/duration-millis.ts'
import { size } from '../../src/codec/size.ts'
import { booleanSetting } from '../../src/compiler/settings/setting.ts'
import type { Setting as SettingOf } from '../../src/compiler/settings/setting.ts'
import { settingsTable } from '../../src/compiler/settings/settings-table.ts'
import { variableName } from '../../src/node/settings/setting-source.ts'

/** Returns the anchor of a heading, as GitHub and npm generate it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-')

type Setting = Pick<SettingOf<unknown>, 'name' | 'fallback' | 'text'>

interface Section {
  readonly title: string
  /** Prefixes of names, or complete names. */
  readonly names: ReadonlyArray<string>
  readonly text?: string
}

/** A setting belongs to the first section with a matching name. */
const sections: ReadonlyArray<Section> = [
  {
    title: 'Server and addresses',
    names: [
      'fw.http.host',
      'fw.http.port',
      'fw.http.public-url',
      'fw.http.allowed-hosts',
      'fw.http.proxy.',
      'fw.http.host-enabled',
      'fw.http.domain-',
      'fw.http.connection',
      'fw.http.strict-target',
    ],
  },
  { title: 'TLS', names: ['fw.http.ssl', 'fw.http.insecure-'] },
  { title: 'HTTP/2', names: ['fw.http.http2', 'fw.http.initial-'] },
  { title: 'Instances', names: ['fw.http.instances'] },
  { title: 'Compression', names: ['fw.http.enable-', 'fw.http.compress'] },
  { title: 'Uploads and forms', names: ['fw.http.body.', 'fw.rest.multipart.'] },
  { title: 'Limits', names: ['fw.http.limits.'] },
  {
    title: 'Timeouts',
    names: [
      'fw.http.header-timeout',
      'fw.http.read-',
      'fw.http.write-',
      'fw.http.handler-',
      'fw.http.idle-',
      'fw.http.half-',
      'fw.http.keep-',
    ],
  },
  { title: 'Load shedding', names: ['fw.http.overload.'] },
  { title: 'JSON and XML', names: ['fw.rest.json', 'fw.jaxb.'] },
  { title: 'Endpoints', names: ['fw.rest.'] },
  { title: 'Workers and event loop', names: ['fw.worker.', 'fw.loop.'] },
  { title: 'Shutdown', names: ['fw.shutdown.'] },
  {
    title: 'Log',
    names: ['fw.log.'],
    text: 'The level of one category is set with `fw.log.category."NAME".level`, in the environment `FW_LOG_CATEGORY_NAME_LEVEL`. The [deployment guide](deployment.md#log) lists the categories.',
  },
]

const sectionOf = (name: string): string | undefined =>
  sections.find(({ names }) => names.some((prefix) => name.startsWith(prefix)))?.title

const code = (text: string): string => `\`${text}\``

/** Descriptions of defaults that are not a single value. */
const describedDefaults: Readonly<Record<string, string>> = { 'fw.http.host': 'all addresses' }

/** Returns the default, formatted as in a settings file. */
const defaultOf = (name: string, setting: Setting): string => {
  const described = describedDefaults[name]
  if (described !== undefined) return described
  const text = O.toUndefined(setting.text(setting.fallback)) ?? ''
  return text === ''
    ? setting.fallback === undefined
      ? 'not set'
      : 'empty'
    : code(text === '0ms' ? '0' : text)
}

/** Returns the kind of value. Durations and sizes link to their description at the top of the page. */
const kindOf = ({ name }: Setting): string =>
  name === booleanSetting.name
    ? '`true` or `false`'
    : name
        .replace(durationMillis.name, '[duration](#durations-and-sizes)')
        .replace(size.name, '[size](#durations-and-sizes)')
        .replace(/\bunbounded$/, '`unbounded`')

/** Formats a Markdown table with padded columns, as oxfmt does. */
const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: ReadonlyArray<string>): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

const [, table = ''] = readFileSync('src/compiler/settings/settings-table.ts', 'utf8').split(
  'export const settingsTable = {',
)

/** The doc comments of settings, by name. */
const descriptions = new Map(
  Array.from(
    table.matchAll(/\/\*\*([^]*?)\*\/\s*'([^']+)': setting\(/g),
    ([, comment = '', name = '']) =>
      [name, comment.replaceAll(/\s+(?:\* )?/g, ' ').trim()] as const,
  ),
)

/** Returns the doc comment of a setting. */
export const descriptionOf = (name: string): string => {
  const description = descriptions.get(name)
  if (description === undefined) throw new Error(`no doc comment for ${name}`)
  return description
}

const note =
  '<!-- Generated from the table of settings by `node .scripts/reference.mjs`. Do not edit. -->'

/** Returns the text of `src/guide/settings.md`. */
export const settingsReference = (): string => {
  const all = Object.entries<Setting>(settingsTable)
  const unassigned = all.filter(([name]) => sectionOf(name) === undefined)
  if (unassigned.length > 0)
    throw new Error(`no section for ${unassigned.map(([name]) => name).join()}`)
  const settingsIn = (title: string): ReadonlyArray<readonly [string, Setting]> =>
    all.filter(([name]) => sectionOf(name) === title)
  const overview = sections.map(({ title }) =>
    [
      `**${title}**`,
      tableOf([
        ['Setting', 'Default'],
        ...settingsIn(title).map(([name, setting]) => [
          `[${code(name)}](#${anchorOf(name)})`,
          defaultOf(name, setting),
        ]),
      ]),
    ].join('\n\n'),
  )
  const details = sections.flatMap(({ title, text }) => [
    `## ${title}`,
    ...(text === undefined ? [] : [text]),
    ...settingsIn(title).flatMap(([name, setting]) => [
      `### ${name}`,
      `Default: ${defaultOf(name, setting)}. Value: ${kindOf(setting)}. Environment: ${code(variableName(name))}.`,
      descriptionOf(name),
    ]),
  ])
  return `${[
    '# Settings reference',
    note,
    'A setting has the same name in every source. The [deployment guide](deployment.md#settings) describes the sources, profiles and expressions. In TypeScript, options of `serve` and `inMemory` are typed: durations are milliseconds and sizes are bytes if they are numbers.',
    '## Durations and sizes',
    'A duration is text such as `10s`, `500ms`, `30m`, `2h`, `1d` or `PT30M`, of at most 24 days. Text without a unit is seconds; a number in a program is milliseconds.',
    'A size is a number of bytes, or text with a binary unit: `512K`, `10M`, `1G`.',
    '## Overview',
    ...overview,
    ...details,
  ].join('\n\n')}\n`
}
