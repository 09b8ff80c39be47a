/**
 * Selects the back end for compiled codecs: generated code or the interpreter. Both return the same results, but generated code is
 * several times faster.
 */
import type { BackEnd } from './compiled-codec.ts'
import { interpretedBackEnd } from './interpreted-back-end.ts'
import { evaluate, generatedBackEnd } from './generator/generated-back-end.ts'
import { isErrorOf } from '../../http/platform-value.ts'

/** Returns the code generator if the platform allows code generation, and otherwise the interpreter. */
export const fastestBackEnd = (): BackEnd =>
  canGenerateCode() ? generatedBackEnd : interpretedBackEnd

let allowed: boolean | undefined

/**
 * Whether the platform allows functions to be created from strings. This can be prevented by the content security policy of a
 * web page, by the runtime workerd, or by the Node.js option `--disallow-code-generation-from-strings`.
 */
export const canGenerateCode = (): boolean => (allowed ??= tryToGenerate())

const tryToGenerate = (): boolean => {
  // while a module is loading, workerd allows code generation, but not for the requests that follow
  if (isWorkerd()) return false
  try {
    return evaluate({ text: 'return true', constants: [] }) === true
  } catch (error) {
    if (isErrorOf(error, 'EvalError')) return false
    throw error
  }
}

/**
 * Whether the runtime is workerd (Cloudflare Workers).
 *
 * workerd ties timers, streams and `AbortController` to the request in which they were created. Other requests must not use them. They
 * cannot be created at all while a module is loading. Functions can be created from strings only while a module is loading.
 */
export const isWorkerd = (): boolean => {
  const navigator: unknown = Reflect.get(globalThis, 'navigator')
  return (
    typeof navigator === 'object' &&
    navigator !== null &&
    'userAgent' in navigator &&
    navigator.userAgent === 'Cloudflare-Workers'
  )
}
