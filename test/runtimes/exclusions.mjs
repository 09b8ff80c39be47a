/** Tests that a runtime cannot pass, with the reasons. Those that no fetch handler can pass are in `test/support/through-fetch.ts`. */

/** @type {ReadonlyArray<readonly [steps: RegExp, suite: RegExp, title: RegExp, reason: string]>} */
const exclusions = [
  [/./, /^compression$/, /^zstd/, 'the Compression Streams standard has no format for Zstandard'],
  [
    /^deno/,
    /^default compression$/,
    /uses level 6/,
    'the bytes of CompressionStream differ from those of node:zlib',
  ],
  [
    /^deno-socket$/,
    /^idempotent operations$/,
    /disconnects while|aborted by a disconnect/,
    'the client of Deno sends a request again that was destroyed, and receives 409 while the first one is running',
  ],
  [
    /-socket$/,
    /^HttpError$|^replies$|^multipart forms$|^structured parts$/,
    /status 666|outside the classes|highest status|UnreadablePart/,
    'a Response cannot have a status above 599: the server sends 500',
  ],
  [
    /^bun/,
    /^JSON bodies$|^log of errors/,
    /syntax error|text after the value|^POST \/notes/,
    'the errors of JSON.parse in JavaScriptCore contain no positions',
  ],
  [
    /^bun-socket$/,
    /^byte streams$|^Content-Length of responses$|^streamed responses$/,
    /chunk|Content-Length|accepts a source/,
    'Bun.serve determines the length: short streams are sent as a whole, and a declared length is dropped',
  ],
  [
    /^bun-socket$/,
    /^broadcaster$|in broadcasts$|^lifecycle of server-sent events$|^server-sent events$/,
    /subscribers|subscriptions|JSON$|headers|sent as an event/,
    'Bun.serve sends the head of a stream together with its first chunk',
  ],
  [
    /^workerd$/,
    /^declared methods$|^methods rewritten/,
    /no operation declares|rewritten/,
    'a Request of workerd cannot have another method than those of the standard and WebDAV',
  ],
  [
    /^workerd$|^bun-/,
    /^names that plain objects inherit$/,
    /as a method$/,
    'a Request of workerd or Bun cannot have an unknown method',
  ],
  [/^workerd$/, /^files\//, /load/, 'tests of files start processes'],
]

/** Returns the reason for which a test is excluded. @type {(step: string, file: string, suite: string, title: string) => string | undefined} */
export const exclusionFor = (step, _file, suite, title) =>
  exclusions.find(
    ([steps, suites, titles]) => steps.test(step) && suites.test(suite) && titles.test(title),
  )?.[3]
