/**
 * Parses regular expressions with `@eslint-community/regexpp`.
 *
 * The package is loaded by the first call, which takes about 4 milliseconds. Programs with simple expressions only never load it.
 */
import type { AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

interface Package {
  readonly RegExpParser: typeof RegExpParser
  readonly visitRegExpAST: typeof visitRegExpAST
}

/** The parser package cannot be loaded, so expressions are not checked. */
export class ParserUnavailable extends Error {}

let loaded: Package | undefined

/**
 * Loads the package. Throws `ParserUnavailable` in browsers, and in browser bundles that run on Node.js without the package.
 *
 * Expressions are not checked there, because the server checks the same expressions.
 */
const load = (): Package => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    throw new ParserUnavailable('regular expressions are checked on Node.js only')
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(
      '@eslint-community/regexpp',
    )
  } catch (error) {
    throw new ParserUnavailable('missing package @eslint-community/regexpp', { cause: error })
  }
}

const regexpp = (): Package => (loaded ??= load())

/** The ECMAScript version of template expressions, which all supported engines can run. */
const templateVersion = 2024

/** Parses the source of a template expression with the flag `u`. Throws a `SyntaxError` if it is invalid. */
export const parse = (source: string): AST.Pattern =>
  new (regexpp().RegExpParser)({ ecmaVersion: templateVersion }).parsePattern(
    source,
    0,
    source.length,
    { unicode: true },
  )

/** Parses an expression with its own flags. Throws a `SyntaxError` for syntax that the package does not support. */
export const parseExpression = ({ source, flags }: RegExp): AST.Pattern =>
  new (regexpp().RegExpParser)().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })

/** Calls handlers for the nodes of a pattern, from outside to inside and in source order. */
export const visit: typeof visitRegExpAST = (node, handlers) =>
  regexpp().visitRegExpAST(node, handlers)
