/** Covers, dossiers, exports and the feed of the lending library. */
import * as assert from 'uvu/assert'
import { library } from '../../../src/showcase/api.ts'
import { newFolder } from '../../support/folder.ts'
import { sendRequest } from '../../support/send-request.ts'
import { base, contract } from '../../support/contract.ts'
import { asLibrarian, asReader, json, served } from '../library.ts'

const emma = { isbn: '9780141439587', title: 'Emma', author: 'Austen', published: 1815, copies: 1 }

contract(
  'showcase covers and feeds',
  () => library(newFolder()),
  (test, call) => {
    const uploadCover = (content: string, type: string, isbn: string = emma.isbn) => {
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
      await sendRequest(call, 'POST /books', json(asLibrarian, emma))
      assert.is((await uploadCover('a picture', 'image/png')).status, 204)
      const whole = await sendRequest(call, `GET /books/${emma.isbn}/cover`)
      assert.is(await whole.text(), 'a picture')
      assert.is(whole.headers.get('content-type'), 'image/png')
      const part = await sendRequest(call, `GET /books/${emma.isbn}/cover`, {
        headers: { range: 'bytes=2-5' },
      })
      assert.equal([part.status, await part.text()], [206, 'pict'])
    })
    test('PUT /books/{isbn}/cover rejects other media types and unknown books', async () => {
      assert.is((await uploadCover('#!/bin/sh', 'text/x-shellscript')).status, 422)
      assert.is((await uploadCover('a picture', 'image/png', '9780000000000')).status, 404)
      const request = new Request(`${base}/books/${emma.isbn}/cover`, {
        method: 'PUT',
        headers: asReader,
        body: new FormData(),
      })
      assert.is((await call(request)).status, 403)
    })
    test('GET /books/{isbn}/dossier returns the book and its cover', async () => {
      const dossier = await (await sendRequest(call, `GET /books/${emma.isbn}/dossier`)).formData()
      assert.equal([...dossier.keys()], ['isbn', 'book', 'cover'])
      const cover = dossier.get('cover')
      assert.is(cover instanceof Blob ? await cover.text() : cover, 'a picture')
    })
    test('GET /books/export returns a JSON array or NDJSON', async () => {
      const all = await (await sendRequest(call, 'GET /books/export')).json()
      assert.ok(Array.isArray(all) && all.length > 3)
      const lines = await sendRequest(call, 'GET /books/export', {
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
      const controller = new AbortController()
      const feed = await sendRequest(call, 'GET /activity', { signal: controller.signal })
      const reader = feed.body?.getReader()
      await sendRequest(call, 'POST /loans', json(asReader, { isbn: emma.isbn }))
      const received = await reader?.read()
      assert.match(
        new TextDecoder().decode(received?.value),
        /^id: .+\ndata: \{"what":"lent","isbn":"9780141439587"\}\n\n$/,
      )
      await reader?.cancel()
      controller.abort()
    })
  },
  served,
)
