/**
 * Runs contract tests through the client: a request that a client of the same route tree can express is sent by that client.
 *
 * A dry run on the server side determines the operation and the input of a request. The client sends a request with that input,
 * and the test checks the response. All other requests are sent unchanged: those that match no operation or are rejected, those
 * with undeclared parameters, endless bodies, and parts without a media type.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type {
  AnyDecodedResponse,
  CallOptions,
  ClientError,
  Fetch,
  Policy,
} from '../../src/client.ts'
import { client, discard, ConfigurationError } from '../../src/client.ts'
import { fetchTransport } from '../../src/client/transport/transport.ts'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import { headerName } from '../../src/endpoint/definition/header-name.ts'
import type { AnySlot } from '../../src/endpoint/definition/slot-types.ts'
import type { AnyNode, Wrapper } from '../../src/endpoint/routes.ts'
import { makeRoutes } from '../../src/endpoint/routes.ts'
import { isFormPart } from '../../src/endpoint/body.ts'
import type { Routes } from '../../src/index.ts'
import type { InMemoryCall, InMemoryOptions } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { toClientInput } from './replayed-input.ts'

type Input = Readonly<Record<string, unknown>>
type AnyApi = Routes<unknown>
type AnyCall = (
  input: Input,
  options: CallOptions,
) => TaskEither<ClientError | AnyDecodedResponse, AnyDecodedResponse>

/** The operation and the input of a request. */
interface ParsedRequest {
  readonly keys: ReadonlyArray<string>
  readonly definition: Definition
  readonly input: Input
}

/** The numbers of requests that were sent by a client and unchanged. */
export const requestCounts = { byClient: 0, unchanged: 0 }

/** Wraps `call` so that a client sends each request that it can express. */
export const throughClient = (
  api: AnyNode,
  options: InMemoryOptions,
  call: InMemoryCall,
): InMemoryCall => {
  if (!isPlain(api)) return call
  const parse = createParser(api, options)
  const calls = new Map<string, AnyCall | undefined>()
  const callOf = (keys: ReadonlyArray<string>): AnyCall | undefined => {
    const name = JSON.stringify(keys)
    if (!calls.has(name)) calls.set(name, clientCall(api, keys))
    return calls.get(name)
  }
  return async (request) => {
    const parsed = request.bodyUsed
      ? undefined
      : await Promise.race([parse(request.clone()), wait(200, undefined, { ref: false })])
    const send = parsed === undefined ? undefined : callOf(parsed.keys)
    if (parsed === undefined || send === undefined || !isExpressible(request, parsed)) {
      requestCounts.unchanged++
      return call(request)
    }
    let received: Response | undefined
    const fetch: Fetch = async (url, init) => {
      const sent = new Request(url, init)
      if (!request.headers.has('user-agent')) sent.headers.delete('user-agent')
      const response = await call(sent)
      received = response
      // the test reads the response, the client reads a copy
      const { status } = response
      return Object.defineProperty(response.clone(), 'status', { value: status })
    }
    const transport: Policy = { _tag: 'Policy', around: () => fetchTransport(fetch) }
    const type = request.headers.get('content-type')
    const result = await send(inputOf(parsed), {
      baseUrl: `${new URL(request.url).origin}${options['fw.rest.path'] ?? ''}`,
      headers: {
        ...undeclaredHeaders(request, parsed.definition),
        ...(type !== null && hasFileBody(parsed.definition) ? { 'content-type': type } : {}),
      },
      signal: request.signal,
      policies: [transport],
      ...(type === null || parsed.definition.bodies.length === 0 || /^multipart/i.test(type)
        ? {}
        : { as: type }),
    })()
    if (received === undefined) {
      if (request.signal.aborted) throw request.signal.reason
      if (isInexpressible(result)) {
        requestCounts.unchanged++
        return call(request)
      }
      throw new Error(`the client sent no request: ${JSON.stringify(result)}`)
    }
    requestCounts.byClient++
    // a test that cancels the response does not cancel the copy
    const copy = E.isRight(result) ? result.right : result.left
    if ('body' in copy) void discard(copy)
    return received
  }
}

/**
 * Whether encoding failed for a repeated header, which `fetch` joins, for an empty path segment, which proxies drop, or for the output
 * of a schema of zod or effect. Clients send the inputs of schemas, which are unknown here.
 */
const isInexpressible = (
  result: E.Either<ClientError | AnyDecodedResponse, AnyDecodedResponse>,
): boolean =>
  E.isLeft(result) &&
  '_tag' in result.left &&
  result.left._tag === 'EncodeError' &&
  result.left.errors.every(
    (error) =>
      error.in === 'header' ||
      error.detail === 'must not result in an empty path segment' ||
      /^must be (?:zod|effect)$/.test(error.detail),
  )

const marker = 'x-dry-run'

/** Creates a function that runs a request through the server up to the handler, and returns its operation and input. */
const createParser = (
  api: AnyNode,
  options: InMemoryOptions,
): ((request: Request) => Promise<ParsedRequest | undefined>) => {
  const parsed = new Map<string, ParsedRequest>()
  const dry = (
    node: AnyNode,
    keys: ReadonlyArray<string>,
    prefixSlots: ReadonlyMap<string, AnySlot> = new Map(),
  ): AnyNode => {
    if (node._tag === 'Routes') {
      const slots = new Map([
        ...prefixSlots,
        ...node.wrappers.flatMap((wrap) => (wrap._tag === 'Prefix' ? [...(wrap.slots ?? [])] : [])),
      ])
      return makeRoutes(
        new Map(
          Array.from(node.children, ([key, child]) => [key, dry(child, [...keys, key], slots)]),
        ),
        node.wrappers.flatMap((wrap): ReadonlyArray<Wrapper> =>
          wrap._tag === 'Attributes'
            ? [{ ...wrap, changes: { ...wrap.changes, access: undefined } }]
            : wrap._tag === 'Prefix'
              ? [wrap]
              : [],
        ),
      )
    }
    const { definition } = node
    return {
      _tag: 'Endpoint',
      definition: {
        ...definition,
        needs: prefixSlots,
        attributes: { ...definition.attributes, access: undefined, execution: 'nonBlocking' },
        handler: async ({ needs: prefixValues, ...input }, { request }) => {
          const id = request.header(marker) ?? ''
          const own = await toClientInput(definition, input)
          const path = Object.assign({}, own['path'], prefixValues)
          parsed.set(id, { keys, definition, input: { ...own, path } })
          throw new Error('dry run')
        },
      },
    }
  }
  let run: InMemoryCall | undefined
  try {
    const { logger: _logger, ...settings } = options
    run = inMemory(dry(api, []) as unknown as AnyApi, {
      ...settings,
      'fw.http.body.delete-uploaded-files-on-end': true,
    })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
  }
  let runs = 0
  return async (request) => {
    if (run === undefined) return undefined
    const id = String(runs++)
    request.headers.set(marker, id)
    await (await run(request)).body?.cancel()
    // the clone would wait for the reader of the original body
    if (request.body?.locked === false) void request.body.cancel()
    const result = parsed.get(id)
    parsed.delete(id)
    return result
  }
}

/**
 * Whether a client can send the requests of a tree: custom readers may read other values, and the names and the order of all files
 * or fields are unknown.
 */
const isPlain = (node: AnyNode): boolean =>
  node._tag === 'Routes'
    ? node.wrappers.every((wrap) => wrap._tag !== 'EntityProviders') &&
      [...node.children.values()].every(isPlain)
    : ![...node.definition.parameters.form.values()].some(
        (parameter) => isFormPart(parameter) && parameter.kind.startsWith('all'),
      )

/** Creates the client call of an operation; `undefined` if no client supports the operation. */
const clientCall = (api: AnyNode, keys: ReadonlyArray<string>): AnyCall | undefined => {
  const branch = (node: AnyNode, [key = '', ...rest]: ReadonlyArray<string>): AnyNode => {
    if (node._tag === 'Endpoint') return node
    const child = node.children.get(key)
    return makeRoutes(
      new Map(child === undefined ? [] : [[key, branch(child, rest)] as const]),
      node.wrappers,
    )
  }
  try {
    const created: object = client(branch(api, keys) as unknown as AnyApi, {
      baseUrl: 'http://service.test',
    })
    return keys.reduce<unknown>((node, key) => Reflect.get(node as object, key), created) as AnyCall
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined
    throw error
  }
}

/** Whether an operation accepts a file. Its handler receives the exact `Content-Type`. */
const hasFileBody = ({ bodies }: Definition): boolean =>
  bodies.some(({ format }) => format._tag === 'FileBody')

const isExpressible = (
  { method, url, headers, body }: Request,
  { definition, input }: ParsedRequest,
): boolean => {
  const { parameters, bodies, queryMap } = definition
  const { pathname, searchParams } = new URL(url)
  const readsBody = bodies.length > 0 || parameters.form.size > 0
  const type = headers.get('content-type') ?? ''
  const cookies = (headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('=')[0] ?? '')
  return (
    method === definition.method &&
    (body === null || readsBody) &&
    !headers.has('content-encoding') &&
    !/charset=(?!"?(?:utf-8|us-ascii))/i.test(type) &&
    // a client sends a form without files URL-encoded
    (parameters.form.size === 0 ||
      [...parameters.form.values()].some(isFormPart) === type.startsWith('multipart/')) &&
    (queryMap || [...searchParams.keys()].every((name) => parameters.query.has(name))) &&
    (parameters.cookie.size === 0 ||
      cookies.every((name) => name === '' || parameters.cookie.has(name))) &&
    [...pathname.matchAll(/;([^=;/]*)/g)].every(
      ([, name = '']) => name === '' || parameters.matrix.has(decodeURIComponent(name)),
    ) &&
    !hasLeft(input)
  )
}

/** Whether a parameter with `attempt` is invalid. A client cannot encode it. */
const hasLeft = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some(
    (group) =>
      typeof group === 'object' &&
      group !== null &&
      Object.values(group).some(
        (parameter) =>
          typeof parameter === 'object' &&
          parameter !== null &&
          '_tag' in parameter &&
          parameter._tag === 'Left',
      ),
  )

/** Removes the declared query parameters from the query map, because a client sends them separately. */
const inputOf = ({ definition, input }: ParsedRequest): Input => {
  const { queryMap } = input
  if (!(queryMap instanceof Map)) return input
  const undeclared = [...queryMap].filter(
    ([name]) => !definition.parameters.query.has(String(name)),
  )
  return { ...input, queryMap: new Map(undeclared) }
}

/** The headers that are neither parameters nor set by the client. */
const undeclaredHeaders = (
  request: Request,
  { parameters }: Definition,
): Record<string, string> => {
  const declared = new Set([...parameters.header.keys()].map(headerName))
  const excluded = new Set(['content-type', 'content-length', ...declared])
  if (parameters.cookie.size > 0) excluded.add('cookie')
  return {
    ...(declared.has('accept') ? {} : { accept: '*/*' }),
    ...Object.fromEntries([...request.headers].filter(([name]) => !excluded.has(name))),
  }
}
