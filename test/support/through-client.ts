/**
 * The contract suite through the client: a request that a client of the same tree can express is sent by that client, whatever it
 * was made of. A dry run with the server's own reading says which operation a request means and with which input; the client
 * makes a request of that input, and what the service answers to it is what the test looks at. All other requests go as they are:
 * those that mean no operation or are refused, those with more than is declared, contents that do not end, and parts that state no media type.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyAnswer, CallOptions, ClientError, Fetch, Policy } from '../../src/client.ts'
import { client, discard, MistakesError } from '../../src/client.ts'
import { fetchTransport } from '../../src/client/transport/fetch-transport.ts'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import { headerName } from '../../src/endpoint/parameters.ts'
import type { AnyNode, Wrapper } from '../../src/endpoint/routes.ts'
import { makeRoutes } from '../../src/endpoint/routes.ts'
import { isFormPart } from '../../src/endpoint/form.ts'
import type { Routes } from '../../src/index.ts'
import type { Call, InMemoryOptions } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { givenAgain } from './replayed-input.ts'

type Input = Readonly<Record<string, unknown>>
type AnyApi = Routes<unknown, {}, never>
type AnyCall = (
  input: Input,
  options: CallOptions,
) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

/** What a request means to a tree. */
interface Meant {
  readonly keys: ReadonlyArray<string>
  readonly definition: Definition
  readonly input: Input
}

/** How many requests went either way. */
export const counted = { byClient: 0, asTheyWere: 0 }

/** A call that goes through a client where it can. */
export const throughClient = (api: AnyNode, options: InMemoryOptions, call: Call): Call => {
  if (!isPlain(api)) return call
  const meaning = meaningOf(api, options)
  const calls = new Map<string, AnyCall | undefined>()
  const callOf = (keys: ReadonlyArray<string>): AnyCall | undefined => {
    const name = JSON.stringify(keys)
    if (!calls.has(name)) calls.set(name, clientCall(api, keys))
    return calls.get(name)
  }
  return async (request) => {
    const meant = request.bodyUsed
      ? undefined
      : await Promise.race([meaning(request.clone()), wait(200, undefined, { ref: false })])
    const send = meant === undefined ? undefined : callOf(meant.keys)
    if (meant === undefined || send === undefined || !isExpressible(request, meant)) {
      counted.asTheyWere++
      return call(request)
    }
    let answered: Response | undefined
    const fetch: Fetch = async (url, init) => {
      const sent = new Request(url, init)
      if (!request.headers.has('user-agent')) sent.headers.delete('user-agent')
      const response = await call(sent)
      answered = response
      // the test reads the answer, the client a copy of it
      const { status } = response
      return Object.defineProperty(response.clone(), 'status', { value: status })
    }
    const transport: Policy = { _tag: 'Policy', around: () => fetchTransport(fetch) }
    const type = request.headers.get('content-type')
    const result = await send(inputOf(meant), {
      baseUrl: `${new URL(request.url).origin}${options['fw.rest.path'] ?? ''}`,
      headers: {
        ...fieldsOf(request, meant.definition),
        ...(type !== null && isStated(meant.definition) ? { 'content-type': type } : {}),
      },
      signal: request.signal,
      policies: [transport],
      ...(type === null || meant.definition.bodies.length === 0 || /^multipart/i.test(type)
        ? {}
        : { as: type }),
    })()
    if (answered === undefined) {
      if (request.signal.aborted) throw request.signal.reason
      if (isUnsayable(result)) {
        counted.asTheyWere++
        return call(request)
      }
      throw new Error(`nothing was sent: ${JSON.stringify(result)}`)
    }
    counted.byClient++
    // whoever leaves the answer would not leave the copy of it
    const answer = E.isRight(result) ? result.right : result.left
    if ('body' in answer) void discard(answer)
    return answered
  }
}

/** Several fields of one name, which `fetch` joins, and segments without a character, which proxies drop. */
const isUnsayable = (result: E.Either<ClientError | AnyAnswer, AnyAnswer>): boolean =>
  E.isLeft(result) &&
  '_tag' in result.left &&
  result.left._tag === 'EncodeError' &&
  result.left.faults.every(
    (fault) => fault.in === 'header' || fault.detail === 'must not result in an empty path segment',
  )

const marker = 'x-dry-run'

/** Runs requests through the server's own reading, up to the handler. */
const meaningOf = (
  api: AnyNode,
  options: InMemoryOptions,
): ((request: Request) => Promise<Meant | undefined>) => {
  const meant = new Map<string, Meant>()
  const dry = (node: AnyNode, keys: ReadonlyArray<string>): AnyNode => {
    if (node._tag === 'Routes')
      return makeRoutes(
        new Map(Array.from(node.children, ([key, child]) => [key, dry(child, [...keys, key])])),
        node.wrappers.flatMap((wrap): ReadonlyArray<Wrapper> =>
          wrap._tag === 'Attributes'
            ? [{ ...wrap, changes: { ...wrap.changes, access: undefined } }]
            : wrap._tag === 'Prefix'
              ? [wrap]
              : [],
        ),
      )
    const { definition } = node
    return {
      _tag: 'Endpoint',
      definition: {
        ...definition,
        needs: new Map(),
        attributes: { ...definition.attributes, access: undefined, execution: 'nonBlocking' },
        handler: async (input, { request }) => {
          const id = request.header(marker) ?? ''
          meant.set(id, { keys, definition, input: await givenAgain(definition, input) })
          throw new Error('a dry run')
        },
      },
    }
  }
  let run: Call | undefined
  try {
    const { logger: _logger, ...settings } = options
    run = inMemory(dry(api, []) as unknown as AnyApi, {
      ...settings,
      'fw.http.body.delete-uploaded-files-on-end': true,
    })
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
  }
  let runs = 0
  return async (request) => {
    if (run === undefined) return undefined
    const id = String(runs++)
    request.headers.set(marker, id)
    await (await run(request)).body?.cancel()
    // it waits for the other reader of the same content
    if (request.body?.locked === false) void request.body.cancel()
    const found = meant.get(id)
    meant.delete(id)
    return found
  }
}

/** Whether a request means here what its octets say: contents in pieces may never end, and readers may read something else. */
const isPlain = (node: AnyNode): boolean =>
  node._tag === 'Routes'
    ? node.wrappers.every((wrap) => wrap._tag !== 'EntityProviders') &&
      [...node.children.values()].every(isPlain)
    : ![...node.definition.parameters.form.values()].some(
        (one) => isFormPart(one) && one.kind === 'allUploads',
      )

/** The call of one operation; `undefined` where a client does not speak what it does. */
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
    const made: object = client(branch(api, keys) as unknown as AnyApi, {
      baseUrl: 'http://service.test',
    })
    return keys.reduce<unknown>((node, key) => Reflect.get(node as object, key), made) as AnyCall
  } catch (error) {
    if (error instanceof MistakesError) return undefined
    throw error
  }
}

/** Whether a body is of the type that is stated, down to its letters. */
const isStated = ({ bodies }: Definition): boolean =>
  bodies.some(({ format }) => format._tag === 'FileBody')

const isExpressible = (
  { method, url, headers, body }: Request,
  { definition, input }: Meant,
): boolean => {
  const { parameters, bodies, queryMap } = definition
  const { pathname, searchParams } = new URL(url)
  const readsContent = bodies.length > 0 || parameters.form.size > 0
  const type = headers.get('content-type') ?? ''
  const cookies = (headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('=')[0] ?? '')
  return (
    method === definition.method &&
    (body === null || readsContent) &&
    !headers.has('content-encoding') &&
    !/charset=(?!"?(?:utf-8|us-ascii))/i.test(type) &&
    // a form without a file is sent otherwise
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

/** Whether something was attempted in vain: no text says so. */
const hasLeft = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some(
    (group) =>
      typeof group === 'object' &&
      group !== null &&
      Object.values(group).some(
        (one) => typeof one === 'object' && one !== null && '_tag' in one && one._tag === 'Left',
      ),
  )

/** The input of a handler as a caller gives it: all parameters of the query are in the map, the declared ones twice. */
const inputOf = ({ definition, input }: Meant): Input => {
  const { queryMap } = input
  if (!(queryMap instanceof Map)) return input
  const more = [...queryMap].filter(([name]) => !definition.parameters.query.has(String(name)))
  return { ...input, queryMap: new Map(more) }
}

/** The fields that no parameter is made of. */
const fieldsOf = (request: Request, { parameters }: Definition): Record<string, string> => {
  const declared = new Set([...parameters.header.keys()].map(headerName))
  const left = new Set(['content-type', 'content-length', ...declared])
  if (parameters.cookie.size > 0) left.add('cookie')
  return {
    ...(declared.has('accept') ? {} : { accept: '*/*' }),
    ...Object.fromEntries([...request.headers].filter(([name]) => !left.has(name))),
  }
}
