/** Headers whose names are those of properties of JavaScript objects, in requests, responses and response filters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  ok,
  path,
  produces,
  query,
  routes,
  string,
  text,
  withHeader,
} from '../../../src/index.ts'
import * as Headers from '../../../src/http/headers.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const names = [
  '__proto__',
  'Constructor',
  'constructor',
  'hasOwnProperty',
  'prototype',
  'toString',
  'valueOf',
  '__defineGetter__',
] as const

const api = routes({
  sent: pipe(
    path('/sent'),
    query({ name: string }),
    get(),
    produces(text),
    handle(({ query: { name } }) => pipe(ok('sent'), withHeader(name, 'a'))),
  ),
  added: pipe(
    path('/added'),
    query({ name: string }),
    get(),
    produces(text),
    handle(({ query: { name } }, { response }) => {
      response.addHeader(name, 'a')
      response.addHeader(name, 'b')
      return 'added'
    }),
  ),
  received: pipe(
    path('/received'),
    query({ name: string }),
    get(),
    produces(text),
    handle(({ query: { name } }, { request }) =>
      Headers.all(request.headers, name.toLowerCase()).join(),
    ),
  ),
})

valueContract('header names of object properties', api, (test, call) => {
  table(
    test,
    names.map((name): [name: string] => [name]),
    async (name) => {
      const sent = await sendRequest(call, `GET /sent?name=${name}`)
      assert.is(sent.headers.get(name), 'a')
      const added = await sendRequest(call, `GET /added?name=${name}`)
      assert.is(added.headers.get(name), 'a, b')
      const received = await sendRequest(call, `GET /received?name=${name}`, {
        headers: [[name, 'c']],
      })
      assert.is(await received.text(), 'c')
      // the header of another name is absent
      const other = await sendRequest(call, `GET /received?name=${name}`)
      assert.is(await other.text(), '')
    },
  )
})
