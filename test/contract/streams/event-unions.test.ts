/** The data of events is text or JSON, as determined by the codec, and clients decode it to the same values. */
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Event } from '../../../src/index.ts'
import {
  broadcaster,
  enumOf,
  event,
  get,
  handle,
  int,
  json,
  list,
  nullable,
  optional,
  path,
  produces,
  routes,
  sse,
  string,
  text,
  uuid,
} from '../../../src/index.ts'
import { readAll } from '../../client/read-stream.ts'
import { clientContract, right } from '../../support/clients.ts'
import { valueContract } from '../../support/contract.ts'
import { sendRequest } from '../../support/send-request.ts'

const Book = t.type({ title: t.string }, 'Book')
const StringOrBook = t.union([string, Book])
const book = { title: 'Emma', shelf: 3 }
const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'

/** Strings that look like JSON, or that event streams split. */
const strings = ['', 'Emma', '{}', '{"title":"Emma"}', '"Emma"', 'null', '1', 'a\nb', ' a']

const operation = <C extends t.Mixed>(
  name: string,
  codec: C,
  values: ReadonlyArray<C['_A'] | Event<C['_A']>>,
) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(sse(codec)),
    handle(() => values),
  )

const api = routes({
  strings: operation('strings', string, strings),
  union: operation('union', StringOrBook, [
    ...strings,
    book,
    event('added', book),
    event('returned'),
  ]),
  optional: operation('optional', optional(StringOrBook), ['Emma', book]),
  list: operation('list', t.union([string, list(string)]), ['a', ['a', 'b']]),
  nullable: operation('nullable', nullable(string), ['null', null]),
  numbers: operation('numbers', t.union([int, enumOf('many')]), [1, 'many']),
  uuid: operation('uuid', t.union([uuid, Book]), [id, book]),
  optionalUuid: operation('optional-uuid', optional(uuid), [id]),
  asText: pipe(
    path('/as-text'),
    get(),
    produces(sse(text)),
    handle(() => ['{}']),
  ),
  asJson: pipe(
    path('/as-json'),
    get(),
    produces(sse(json(string))),
    handle(() => ['{}']),
  ),
})

/** The data of an event, as it is sent. */
const dataOf = (message: string): string =>
  message
    .split('\n')
    .filter((line) => line.startsWith('data'))
    .map((line) => line.replace(/^data:? ?/, ''))
    .join('\n')

valueContract('event data of unions', api, (test, call) => {
  const sent = async (target: string): Promise<ReadonlyArray<string>> =>
    (await (await sendRequest(call, `GET ${target}`)).text()).split('\n\n').slice(0, -1).map(dataOf)
  const bookText = '{"title":"Emma"}'

  test('strings are text', async () => assert.equal(await sent('/strings'), strings))
  test('strings and objects of a union are JSON', async () =>
    assert.equal(await sent('/union'), [
      ...strings.map((value) => JSON.stringify(value)),
      bookText,
      bookText,
      '"returned"',
    ]))
  test('an optional union has the format of the union', async () =>
    assert.equal(await sent('/optional'), ['"Emma"', bookText]))
  test('a union of a string and a list is JSON', async () =>
    assert.equal(await sent('/list'), ['"a"', '["a","b"]']))
  test('a union of a string and null is JSON', async () =>
    assert.equal(await sent('/nullable'), ['"null"', 'null']))
  test('a union of single values is text', async () =>
    assert.equal(await sent('/numbers'), ['1', 'many']))
  test('a union of a codec with a text form and an object is JSON', async () =>
    assert.equal(await sent('/uuid'), [`"${id}"`, bookText]))
  test('an optional codec with a text form is text', async () =>
    assert.equal(await sent('/optional-uuid'), [id]))
  test('a representation determines the format', async () => {
    assert.equal(await sent('/as-text'), ['{}'])
    assert.equal(await sent('/as-json'), ['"{}"'])
  })
})

/** A call of any operation. */
type Call = () => TaskEither<unknown, { readonly body: AsyncIterable<{ readonly data: unknown }> }>

clientContract('clients decode event data of unions', api, (test, createClient) => {
  const received = async (
    name: Exclude<keyof typeof api._T, 'asText' | 'asJson'>,
  ): Promise<ReadonlyArray<unknown>> => {
    const call = createClient()[name] as Call
    const events = await readAll((await right(call())).body)
    return events.map(({ data }) => data)
  }
  const emma = { title: 'Emma' }

  test('strings', async () => assert.equal(await received('strings'), strings))
  test('strings and objects', async () =>
    assert.equal(await received('union'), [...strings, emma, emma, 'returned']))
  test('an optional union', async () => assert.equal(await received('optional'), ['Emma', emma]))
  test('a string and a list', async () => assert.equal(await received('list'), ['a', ['a', 'b']]))
  test('a string and null', async () => assert.equal(await received('nullable'), ['null', null]))
  test('single values', async () => assert.equal(await received('numbers'), [1, 'many']))
  test('a codec with a text form and an object', async () =>
    assert.equal(await received('uuid'), [id, emma]))
  test('an optional codec with a text form', async () =>
    assert.equal(await received('optionalUuid'), [id]))
})

const feed = broadcaster(StringOrBook)
const broadcastApi = routes({
  feed: pipe(
    path('/feed'),
    get(),
    produces(sse(StringOrBook)),
    handle((_, context) => feed.subscribe(context)),
  ),
})

valueContract('event data of unions in broadcasts', broadcastApi, (test, call) => {
  test('strings and objects are JSON', async () => {
    const response = await sendRequest(call, 'GET /feed')
    const reader = response.body?.getReader()
    await Promise.all([feed.publish('{}'), feed.publish(book)])
    let received = ''
    while (!received.includes('Emma')) {
      const chunk = await reader?.read()
      received += new TextDecoder().decode(chunk?.value)
    }
    assert.is(received, 'data: "{}"\n\ndata: {"title":"Emma"}\n\n')
    await reader?.cancel()
  })
})
