/** Sends requests to `toFetchHandler`. */
import { ConfigurationError, toFetchHandler } from '../../src/fetch.ts'
import type { Routes } from '../../src/index.ts'
import { count, type Test } from './describe.ts'
import type { InMemoryCall, InMemoryOptions } from '../../src/testing.ts'

/**
 * Returns a function that sends requests to a fetch handler. Like that of a network, its promise is rejected if the request is aborted.
 * Returns `undefined` if a fetch handler does not support an operation of the tree.
 */
export const throughFetch = <T, E>(
  api: Routes<T, {}, E>,
  options: InMemoryOptions,
): InMemoryCall | undefined => {
  try {
    const handler = toFetchHandler<T, {}, E>(api, options)
    return (request) => raceAbort(handler(request), request.signal)
  } catch (error) {
    if (error instanceof ConfigurationError && error.issues.every(isUnsupported)) return undefined
    throw error
  }
}

const isUnsupported = ({ code }: { readonly code: string }): boolean => code === 'FW-FETCH-001'

const raceAbort = (response: Promise<Response>, signal: AbortSignal): Promise<Response> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })

/** Tests of contracts that a fetch handler cannot pass, with the reasons. */
export const unsupportedTests: ReadonlyArray<
  readonly [suite: RegExp, title: RegExp, reason: string]
> = [
  [
    /^compressed (?:event )?streams/,
    /flushed immediately|stream|disconnect|HEAD/,
    'a CompressionStream cannot be flushed',
  ],
  [/^Content-Length of compressed/, /stream/, 'a CompressionStream cannot be flushed'],
  [/^compression level/, /level/, 'a CompressionStream has no level'],
  [/^compression/, /^br$|several codings|configured type/, 'the standard has no format for Brotli'],
  [/^names and paths of uploaded files/, /./, 'uploaded files are in memory and have no path'],
  [/^multipart forms$/, /uploaded files are deleted/, 'uploaded files are in memory'],
  [/^uploaded files that are kept/, /./, 'uploaded files are in memory'],
  [/^multipart bodies$/, /in order$|moved or deleted/, 'files in memory cannot be moved'],
  [/^multipart bodies with/, /threshold|configured media type/, 'all files are in memory'],
  [
    /^multipartOutput$/,
    /record|Content-Length|formData|list of parts|open file|opened|HEAD/,
    'parts that are files cannot be opened',
  ],
]

/** Returns a function that defines the tests of a contract, except for those that a fetch handler cannot pass. */
export const testsOfFetch =
  (suite: string, test: Test): Test =>
  (title, check) => {
    const found = unsupportedTests.find(([name, titles]) => name.test(suite) && titles.test(title))
    if (found === undefined) test(title, check)
    else count.skipped.push(`${suite}, through a fetch handler, ${title}: ${found[2]}`)
  }
