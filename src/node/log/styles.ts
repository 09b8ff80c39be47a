/** Styles of text for terminals. */
import type { Members } from '../../compiler/settings/logger.ts'
import { plainValue } from './json-logger.ts'

type Style = (text: string) => string

/** Functions that style text, or return it unchanged if the output has no colours. */
export interface Styles {
  readonly red: Style
  readonly yellow: Style
  readonly green: Style
  readonly cyan: Style
  readonly dim: Style
}

const style =
  (isEnabled: boolean, start: number, end: number): Style =>
  (text) =>
    isEnabled && text !== '' ? `\u001b[${start}m${text}\u001b[${end}m` : text

export const stylesOf = (isEnabled: boolean): Styles => ({
  red: style(isEnabled, 31, 39),
  yellow: style(isEnabled, 33, 39),
  green: style(isEnabled, 32, 39),
  cyan: style(isEnabled, 36, 39),
  dim: style(isEnabled, 2, 22),
})

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Whether the output is shown with colours: on a terminal, unless `NO_COLOR` is set. `FORCE_COLOR` takes precedence: `0` and `false` disable
 * colours, and any other value enables them.
 */
export const hasColors = (
  { isTTY = false }: { readonly isTTY?: boolean },
  { FORCE_COLOR: forced, NO_COLOR: disabled = '', TERM: terminal }: Environment,
): boolean =>
  forced === undefined
    ? isTTY && disabled === '' && terminal !== 'dumb'
    : forced !== '0' && forced !== 'false'

/**
 * Escapes the characters with which a string could control a terminal or change the order of the text: control characters, line separators
 * and directional formatting characters.
 */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Returns members as `name=value`. A string is quoted if it contains other characters than those of words, numbers, paths and addresses. */
export const formatMembers = (members: Members, { dim }: Styles): string =>
  Object.entries(members)
    .map(([name, value]) => {
      const plain = plainValue(value)
      const isWord = typeof plain === 'string' && /^[\w.:/@+-]+$/.test(plain)
      return `${dim(`${visible(name)}=`)}${visible(isWord ? plain : JSON.stringify(plain))}`
    })
    .join(' ')
