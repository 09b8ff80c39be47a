/** Covers, dossiers, exports and the feed of the lending library. */
import * as assert from 'uvu/assert'
import { library } from '../../../src/showcase/api.ts'
import { ask } from '../../support/ask.ts'
import { base, contract } from '../../support/contract.ts'
import { asLibrarian, asReader, json, served } from '../../support/library.ts'

const emma = { isbn: '9780141439587', title: 'Emma', author: 'Austen', published: 1815, copies: 1 }

contract(
  'showcase covers and feeds',
  library,
  (test, call) => {
    const bring = (content: string, type: string, isbn: string = emma.isbn) => {
      const cover = new FormData()
      cover.append('cover', new Blob([content], { type }), 'emma.png')
      return call(
        new Request(`${base}/books/${isbn}/cover`, {
          method: 'PUT',
          headers: asLibrarian,
          body: cover,
        }),
      )
    }
    test('an uploaded cover is served as a file and as byte ranges', async () => {
      await ask(call, 'POST /books', json(asLibrarian, emma))
      assert.is((await bring('a picture', 'image/png')).status, 204)
      const whole = await ask(call, `GET /books/${emma.isbn}/cover`)
      assert.is(await whole.text(), 'a picture')
      assert.is(whole.headers.get('content-type'), 'image/png')
      const part = await ask(call, `GET /books/${emma.isbn}/cover`, {
        headers: { range: 'bytes=2-5' },
      })
      assert.equal([part.status, await part.text()], [206, 'pict'])
    })
    test('PUT /books/{isbn}/cover rejects other media types and unknown books', async () => {
      assert.is((await bring('#!/bin/sh', 'text/x-shellscript')).status, 422)
      assert.is((await bring('a picture', 'image/png', '9780000000000')).status, 404)
      const request = new Request(`${base}/books/${emma.isbn}/cover`, {
        method: 'PUT',
        headers: asReader,
        body: new FormData(),
      })
      assert.is((await call(request)).status, 403)
    })
    test('GET /books/{isbn}/dossier returns the book and its cover', async () => {
      const dossier = await (await ask(call, `GET /books/${emma.isbn}/dossier`)).formData()
      assert.equal([...dossier.keys()], ['isbn', 'book', 'cover'])
      const cover = dossier.get('cover')
      assert.is(cover instanceof Blob ? await cover.text() : cover, 'a picture')
    })
    test('GET /books/export returns a JSON array or NDJSON', async () => {
      const all = await (await ask(call, 'GET /books/export')).json()
      assert.ok(Array.isArray(all) && all.length > 3)
      const lines = await ask(call, 'GET /books/export', {
        headers: { accept: 'application/x-ndjson' },
      })
      assert.equal(
        (await lines.text())
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
        all,
      )
    })
    test('GET /activity sends an event for each loan', async () => {
      const gone = new AbortController()
      const feed = await ask(call, 'GET /activity', { signal: gone.signal })
      const reader = feed.body?.getReader()
      await ask(call, 'POST /loans', json(asReader, { isbn: emma.isbn }))
      const heard = await reader?.read()
      assert.match(
        new TextDecoder().decode(heard?.value),
        /^id: .+\ndata: \{"what":"lent","isbn":"9780141439587"\}\n\n$/,
      )
      await reader?.cancel()
      gone.abort()
    })
  },
  served,
)
