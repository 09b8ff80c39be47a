/** Errors as text for developers: the message, own members, frames of the application, and the source lines of the first one. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Members } from '../../compiler/settings/logger.ts'
import { isObject, orUndefined } from '../../http/platform-value.ts'
import { describeError } from './describe-error.ts'
import type { Styles } from './styles.ts'
import { formatMembers, visible } from './styles.ts'

/** A frame of a stack, in a file. */
interface Frame {
  readonly text: string
  readonly file: string
  readonly line: number
  readonly column: number
  /** Whether the frame belongs to Node.js, to a package or to this package. */
  readonly isForeign: boolean
}

/** Maximum number of lines of a message or a stack, and maximum size of a source file, in bytes. */
const maxLines = 50
const maxSourceSize = 2 ** 20

/** Number of source lines before and after the line of a frame. */
const surroundingLines = 2

/** Whether a file is part of this package, which has a link instead of a copy in `node_modules` while it is being developed. */
const isOwn = (file: string): boolean => {
  // a bundle in the format of CommonJS has no URL
  const url: unknown = import.meta.url
  return typeof url === 'string' && file.startsWith(fileURLToPath(new URL('.', url)))
}

/** Returns the lines that describe an error and the errors in it. */
export const errorLines = (error: unknown, styles: Styles): ReadonlyArray<string> =>
  describedLines(describeError(error), '', true, styles)

const describedLines = (
  described: unknown,
  label: string,
  withSource: boolean,
  styles: Styles,
): ReadonlyArray<string> => {
  // the cause of an error can be any value
  if (!isObject(described) || !('stack' in described))
    return [`${label}${formatMembers({ value: described }, styles)}`]
  const { name, message, stack, cause, errors, ...members }: Members = { ...described }
  const text = String(message)
  const [first = '', ...others] = text.split(/\r?\n/).slice(0, maxLines)
  const title = first === '' ? String(name) : `${String(name)}: ${first}`
  const frames = framesOf(String(stack), text)
  const nested: ReadonlyArray<readonly [label: string, described: unknown]> = [
    ...(cause === undefined ? [] : [['cause', cause] as const]),
    ...(Array.isArray(errors) ? errors : []).map(
      (inner, index) => [`errors ${index}`, inner] as const,
    ),
  ]
  return [
    `${styles.dim(label)}${styles.red(visible(title))}`,
    ...others.map((line) => `  ${styles.red(visible(line))}`),
    ...(Object.keys(members).length === 0 ? [] : [`  ${formatMembers(members, styles)}`]),
    ...(withSource ? sourceLines(frames, styles) : []),
    ...frameLines(frames, styles),
    ...nested.flatMap(([inner, value]) =>
      describedLines(value, `[${inner}] `, false, styles).map((line) => `  ${line}`),
    ),
  ]
}

/** Returns the frames of a stack that are in files or modules. Lines of the message, which a client can choose, are no frames. */
const framesOf = (stack: string, message: string): ReadonlyArray<Frame> =>
  stack
    .slice(Math.max(0, stack.indexOf(message)) + message.length)
    .split('\n')
    .slice(0, maxLines)
    .flatMap((text) => {
      const [, url = '', line = '', column = ''] =
        /^ +at (?:.* \(|async )?(.+?):(\d+):(\d+)\)?$/.exec(text) ?? []
      if (url === '') return []
      const file = url.startsWith('file:') ? (orUndefined(() => fileURLToPath(url)) ?? url) : url
      const isForeign = /^node:|[\\/]node_modules[\\/]/.test(file) || isOwn(file)
      const shown = text.trim().replace(url, isForeign ? file : relative(process.cwd(), file))
      return [{ text: shown, file, line: Number(line), column: Number(column), isForeign }]
    })

/** Returns the frames of the application. Consecutive other frames are replaced with their number, unless there are no frames of the application. */
const frameLines = (frames: ReadonlyArray<Frame>, styles: Styles): ReadonlyArray<string> => {
  if (frames.every(({ isForeign }) => isForeign))
    return frames.slice(0, 5).map(({ text }) => `    ${styles.dim(visible(text))}`)
  const lines: string[] = []
  let hidden = 0
  const addHidden = (): void => {
    if (hidden > 0) lines.push(styles.dim(`    … ${hidden} of packages and Node.js`))
    hidden = 0
  }
  for (const { text, isForeign } of frames) {
    if (isForeign) {
      hidden++
      continue
    }
    addHidden()
    lines.push(`    ${visible(text)}`)
  }
  addHidden()
  return lines
}

/** Returns the source lines around the first frame of the application. Empty if the file cannot be read. */
const sourceLines = (frames: ReadonlyArray<Frame>, styles: Styles): ReadonlyArray<string> => {
  const frame = frames.find(({ isForeign }) => !isForeign)
  const text = frame && orUndefined(() => readFileSync(frame.file, 'utf8'))
  if (frame === undefined || text === undefined || text.length > maxSourceSize) return []
  const all = text.split(/\r?\n/)
  if (frame.line > all.length) return []
  const from = Math.max(0, frame.line - 1 - surroundingLines)
  const shown = all.slice(from, frame.line + surroundingLines)
  const width = String(from + shown.length).length
  return shown.flatMap((line, index) => {
    const number = from + index + 1
    const source = `${String(number).padStart(width)} | ${visible(line.replaceAll('\t', ' '))}`
    if (number !== frame.line) return [styles.dim(`    ${source}`)]
    const caret = `${' '.repeat(width)} | ${' '.repeat(frame.column - 1)}^`
    return [`  ${styles.red('>')} ${source}`, `    ${styles.red(caret)}`]
  })
}
