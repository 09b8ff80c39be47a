/** one timer for all calls of a client. */
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { commonTimer } from '../../../src/client/policy/common-timer.ts'
import { describe } from '../../support/describe.ts'

/** Timers for which the process goes on. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

describe('a common timer', (test) => {
  test('runs each when its time is up, and not before', async () => {
    const after = commonTimer(40)
    const begin = performance.now()
    const ran: Array<readonly [name: string, time: number]> = []
    const note = (name: string) => (): void => void ran.push([name, performance.now() - begin])
    after(note('first'))
    await sleep(20)
    after(note('second'))
    const later = performance.now() - begin
    await sleep(100)
    assert.equal(
      ran.map(([name]) => name),
      ['first', 'second'],
    )
    assert.ok((ran[0]?.[1] ?? 0) >= 40, String(ran))
    assert.ok((ran[1]?.[1] ?? 0) >= later + 40, String(ran))
  })
  test('runs nothing that was prevented, and what begins then', async () => {
    const after = commonTimer(20)
    let ran = ''
    const prevent = after(() => (ran += 'a'))
    after(() => (ran += 'b'))
    prevent()
    prevent()
    await sleep(60)
    assert.is(ran, 'b')
    after(() => (ran += 'c'))
    await sleep(60)
    assert.is(ran, 'bc')
  })
  test('runs what begins while another runs', async () => {
    const after = commonTimer(10)
    let ran = ''
    after(() => {
      ran += 'a'
      after(() => (ran += 'c'))
    })
    after(() => (ran += 'b'))
    await sleep(100)
    assert.is(ran, 'abc')
  })
  test('rings in time for those who wait, whatever begins while another runs', async () => {
    const after = commonTimer(200)
    const begin = performance.now()
    const rang = new Promise<number>((resolve) => {
      after(() => after(() => undefined)())
      after(() => void after(() => undefined))
      setTimeout(() => after(() => resolve(performance.now() - begin)), 50)
    })
    const time = await rang
    assert.ok(time >= 250 && time < 350, `${time}`)
  })
  test('rings for the others where one throws', async () => {
    const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
    const after = commonTimer(10)
    after(() => {
      throw new Error('of one')
    })
    const rang = new Promise<string>((resolve) => after(() => resolve('rang')))
    assert.is(await Promise.race([rang, sleep(2000, 'silence')]), 'rang')
    assert.instance(await thrown, Error)
  })
  test('what came while the process was busy came in time', async () => {
    const after = commonTimer(50)
    let ran = ''
    const prevent = after(() => (ran += 'a'))
    after(() => (ran += 'b'))
    void stat(import.meta.filename).then(prevent)
    for (const begin = performance.now(); performance.now() < begin + 150;) ran = ''
    await sleep(50)
    assert.is(ran, 'b')
  })
  test('rings although its timer was lost', async () => {
    const after = commonTimer(20)
    const { setTimeout: real } = globalThis
    globalThis.setTimeout = (() => 0) as unknown as typeof real
    let ran = ''
    try {
      after(() => (ran += 'a'))
    } finally {
      globalThis.setTimeout = real
    }
    await sleep(200)
    assert.is(ran, '')
    after(() => (ran += 'b'))
    await sleep(100)
    assert.is(ran, 'ab')
  })
  test('is none in a Cloudflare Worker, where timers end with the request that set them', () => {
    const before = timers()
    const real = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
    const value = { userAgent: 'Cloudflare-Workers' }
    Object.defineProperty(globalThis, 'navigator', { value, configurable: true })
    try {
      const after = commonTimer(60_000)
      const [one, other] = [after(() => undefined), after(() => undefined)]
      assert.is(timers(), before + 2)
      one()
      other()
      assert.is(timers(), before)
    } finally {
      if (real === undefined) Reflect.deleteProperty(globalThis, 'navigator')
      else Object.defineProperty(globalThis, 'navigator', real)
    }
  })
  test('keeps the process while somebody waits for it, and then no longer', () => {
    const before = timers()
    const after = commonTimer(60_000)
    const [one, other] = [after(() => undefined), after(() => undefined)]
    assert.is(timers(), before + 1)
    one()
    assert.is(timers(), before + 1)
    other()
    assert.is(timers(), before)
    const third = after(() => undefined)
    assert.is(timers(), before + 1)
    third()
    assert.is(timers(), before)
  })
})
