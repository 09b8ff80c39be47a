/** The public names of each entry point. Applications depend on them, so every change must be listed here. */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { describe } from './support/describe.ts'

const names: Readonly<Record<string, string>> = {
  espalier: `
    path get post put del patch head options method
     query header cookie matrix queryMap form upload uploads allUploads allFields part optionalPart body
     json rawJson text html bytes byteStream fileBody file filePart formMap problem problemWith
     multipartInput multipartStream as inLanguage representation entity
    jsonStream ndjson textStream multi multiFrom
    sse event comment lastEventId broadcaster inMemoryRelay inMemoryStore withStore rateLimit idempotent
    multipartOutput formDataPart repeated
    reader writer readerInterceptor writerInterceptor onlyOn withReader withWriter withInterceptor
    produces responds fails status responseHeader responseHeaders cache noCache
    handle implement implementAll slot needs routes prefix provide

    withFilter requestFilter next preMatching rewrite responseFilter filters
    cors csrf signedCookie securityHeaders requestId accessLog timing
    priority onlyFor onlyWhere bind
    when disabledWhen profile property not allOf anyOf
    withMapper mapError mapTagged unwrap raises
    blocking nonBlocking transactional limits critical
    compressed uncompressed
    conditional evaluatePreconditions withEtag call providersOf
    permitAll denyAll authenticated rolesAllowed
    operationId summary description tags deprecated hidden externalDocs example described named withSchema
    securityScheme oauth2 openIdConnect
    authentication authenticateAs basic bearer jwt mutualTls apiKey
    view inView jsonView secureField unrestricted secureSerialization

    reply ok created accepted noContent notModified seeOther temporaryRedirect permanentRedirect
    notFound notAcceptable internalServerError
    withHeader withHeaders withoutHeader withCookie expires lastModified etag cacheControl vary variants variant selectVariant link language
    contentLocation allow mediaType attachment uri

    HttpError BadRequest Unauthorized Forbidden NotFound MethodNotAllowed NotAcceptable RequestTimeout
    Conflict Gone ContentTooLarge UnsupportedMediaType UnprocessableContent
    TooManyRequests InternalServerError ServiceUnavailable Redirection UnreadablePart

    health

    string int integer number boolean bigint decimal parseDecimal formatDecimal compareDecimals uuid enumOf
    instant plainDate plainTime plainDateTime zonedDateTime offsetDateTime offsetTime year yearMonth
    duration date dateFormat
    optional withDefault nullable nullish list set sortedSet separated tupleWithRest segments encoded combined attempt strict
    between atLeast atMost constrained length minLength maxLength pattern fromStandardSchema fromString`,
  'espalier/json': `
    jsonLibrary lossless standardJson customSerialization customDeserialization omitNull omitEmpty
    jsonNumber isJsonNumber jsonSeq jsonValue jsonObject jsonArray jsonStructure`,
  'espalier/xml': `
    xml withXml xmlContext withXmlContext customizeXml
    xmlRootElement xmlElement xmlAttribute xmlValue xmlElementWrapper xmlList`,
  'espalier/links': 'rel injectLinks linkId primaryKey linksOf',
  'espalier/cbor': 'cbor',
  'espalier/hal': 'hal halEntity halCollection addLinks',
  'espalier/client': `
    client promiseClient callWithFilters headerOf isClientError CallFailed discard forward ConfigurationError
    timeout retry hedge circuitBreaker concurrencyLimit rateLimit fallback clientResponse followRedirects
    clientFilter headers propagate basicAuth bearerToken logging observeRequests compressRequests
    undiciTransport`,
  'espalier/fetch': 'toFetchHandler toLambdaHandler toLambdaStreamHandler ConfigurationError',
  'espalier/node':
    'serve loadConfiguration ListenError ConfigurationError describeContract describeError describeRoutes jsonLogger textLogger instanceRelay nodeListener nodeRequest nodeResponse constantTimeEqual fileResolver',
  'espalier/openapi': 'openApi openApiRoutes mockServer',
  'espalier/opentelemetry': 'openTelemetry',
  'espalier/webhooks': 'receiveWebhooks webhookSender',
  'espalier/testing': 'inMemory testContext settle testUpload endpointsOf',
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>
}
const entryPoints = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace('.', 'espalier'))

describe('entry points of the package', (test) => {
  test('package.json exports the listed entry points', () =>
    assert.equal(entryPoints, Object.keys(names)))
  for (const entryPoint of entryPoints)
    test(`${entryPoint} exports the listed names`, async () => {
      const found = Object.keys(await import(entryPoint))
      const known = names[entryPoint]?.trim().split(/\s+/) ?? []
      assert.equal(
        {
          missing: known.filter((name) => !found.includes(name)),
          added: found.filter((name) => !known.includes(name)),
        },
        { missing: [], added: [] },
      )
    })
  test('espalier exports the same names in browsers', async () => {
    const inBrowsers: string = '../espalier/browser.js'
    assert.equal(Object.keys(await import(inBrowsers)), Object.keys(await import('espalier')))
  })
  test('other files of the package cannot be imported', async () => {
    const internal: string = 'espalier/dist/src/http/entity-tag.js'
    const code: unknown = await import(internal).then(
      () => 'imported',
      (error: NodeJS.ErrnoException) => error.code,
    )
    assert.is(code, 'ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})
