import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import {
  BodyMemory,
  MemoryReservation,
  reservationWindow,
} from '../../src/interpreter/memory-reservation.ts'
import { describe, law, table } from '../support/describe.ts'

const limit = 100 * reservationWindow

/** Creates a memory with a limit of `free` bytes, and a reservation in it. */
const reservationIn = (free: number): readonly [MemoryReservation, BodyMemory] => {
  const memory = new BodyMemory(free)
  return [new MemoryReservation(memory), memory]
}

describe('MemoryReservation', (test) => {
  table<
    readonly [
      title: string,
      free: number,
      body: readonly [limit: number, length: number | undefined],
      chunks: ReadonlyArray<number>,
      used: number | 'rejected',
    ]
  >(
    test,
    [
      ['a small body reserves its length', limit, [limit, 100], [], 100],
      [
        'a large body first reserves the window',
        limit,
        [limit, 10 * reservationWindow],
        [],
        reservationWindow,
      ],
      [
        'a chunked body first reserves the window',
        limit,
        [limit, undefined],
        [],
        reservationWindow,
      ],
      ['a chunked body never reserves more than its limit', limit, [100, undefined], [], 100],
      [
        'a body of up to half the window extends no reservation',
        limit,
        [limit, 10 * reservationWindow],
        [reservationWindow / 2],
        reservationWindow,
      ],
      [
        'a body reserves twice what has arrived',
        limit,
        [limit, 10 * reservationWindow],
        [reservationWindow, 1],
        2 * reservationWindow + 2,
      ],
      [
        'a body never reserves more than its length',
        limit,
        [limit, 10 * reservationWindow],
        [6 * reservationWindow],
        10 * reservationWindow,
      ],
      ['a body that cannot fit is rejected at once', 99, [limit, 100], [], 'rejected'],
      ['a body that fits exactly is admitted', 100, [limit, 100], [50, 50], 100],
      ['a chunked body is admitted while a byte is free', 1, [limit, undefined], [], 1],
      ['a chunked body is rejected without a free byte', 0, [limit, undefined], [], 'rejected'],
      [
        'a chunked body reserves the remaining memory',
        3 * reservationWindow,
        [limit, undefined],
        [2 * reservationWindow],
        3 * reservationWindow,
      ],
      [
        'a chunked body is rejected if its received bytes do not fit',
        3 * reservationWindow,
        [limit, undefined],
        [2 * reservationWindow, reservationWindow + 1],
        'rejected',
      ],
      ['an empty body with a limit of 0 is admitted', 0, [0, undefined], [], 0],
    ],
    (_, free, body, chunks, used) => {
      const [reservation, memory] = reservationIn(free)
      const isAdmitted =
        reservation.admit(...body) && chunks.every((bytes) => reservation.receive(bytes))
      assert.is(isAdmitted ? memory.used : 'rejected', used)
      reservation.release()
      assert.is(memory.used, 0)
    },
  )

  test('settle releases the unused reservation of a body of unknown size', () => {
    const [reservation, memory] = reservationIn(limit)
    reservation.admit(limit, undefined)
    reservation.receive(10)
    reservation.settle()
    assert.is(memory.used, 10)
  })

  test('discard releases bytes that were written to a file', () => {
    const [reservation, memory] = reservationIn(limit)
    reservation.receive(10)
    reservation.receive(3 * reservationWindow)
    reservation.discard(3 * reservationWindow)
    assert.is(memory.used, 10)
  })

  test('keep counts bytes above the limit', () => {
    const [reservation, memory] = reservationIn(10)
    reservation.keep(25)
    assert.equal([memory.used, memory.free, reservation.isFull], [25, -15, true])
    reservation.drop(20)
    assert.is(memory.used, 5)
  })

  test('endRequest releases the request body but not the response body', () => {
    const [reservation, memory] = reservationIn(limit)
    reservation.admit(limit, 100)
    reservation.keep(7)
    reservation.endRequest()
    assert.equal([memory.used, reservation.held], [7, 7])
    assert.ok(reservation.receive(1000))
    assert.is(memory.used, 7)
    reservation.release()
    assert.equal([memory.used, reservation.held], [0, 0])
  })

  test('an unlimited memory admits and counts any body', () => {
    const [reservation, memory] = reservationIn(Infinity)
    assert.ok(reservation.admit(2 ** 40, 2 ** 40) && reservation.receive(2 ** 39))
    assert.is(memory.used, 2 ** 40)
    assert.not(reservation.isFull)
  })

  type Step = readonly [body: number, action: Action, bytes: number]
  const actions = ['receive', 'keep', 'drop', 'discard', 'settle', 'endRequest', 'release'] as const
  type Action = (typeof actions)[number]
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.nat({ max: 7 }),
    fc.constantFrom(...actions, 'receive', 'receive', 'receive'),
    fc.nat({ max: 3 * reservationWindow }),
  )
  law(
    test,
    'admitted bytes never exceed the limit, and everything is released exactly once',
    fc.tuple(
      fc.array(fc.option(fc.integer({ min: 1, max: 8 * reservationWindow }), { nil: undefined }), {
        minLength: 8,
        maxLength: 8,
      }),
      fc.array(step, { maxLength: 200 }),
    ),
    ([lengths, steps]) => {
      const memory = new BodyMemory(12 * reservationWindow)
      const bodies = lengths.map((length) => {
        const reservation = new MemoryReservation(memory)
        const isOpen = reservation.admit(8 * reservationWindow, length)
        return { reservation, length, isOpen, received: 0, kept: 0 }
      })
      let kept = 0
      for (const [index, action, bytes] of steps) {
        const body = bodies[index]
        if (body === undefined) continue
        const { reservation } = body
        if (action === 'receive') {
          if (!body.isOpen) continue
          const size = Math.min(bytes, (body.length ?? 8 * reservationWindow) - body.received)
          const isHalf = body.length !== undefined && 2 * body.received >= body.length
          body.isOpen = reservation.receive(size)
          body.received += size
          assert.ok(body.isOpen || !isHalf, 'rejected after half of the body')
        } else if (action === 'keep') {
          reservation.keep(bytes)
          body.kept += bytes
        } else if (action === 'drop') {
          const size = Math.min(bytes, body.kept)
          reservation.drop(size)
          body.kept -= size
        } else if (action === 'discard') {
          // only bodies of unknown size are written to files
          if (body.length === undefined) {
            reservation.discard(Math.min(bytes, body.received))
            body.received -= Math.min(bytes, body.received)
          }
        } else if (action === 'settle') {
          if (body.length === undefined) reservation.settle()
        } else {
          body.isOpen = false
          reservation[action]()
          if (action === 'release') body.kept = 0
        }
        kept = bodies.reduce((sum, { kept: bytesKept }) => sum + bytesKept, 0)
        assert.ok(memory.used >= 0)
      }
      for (const { reservation } of bodies) reservation.endRequest()
      assert.ok(memory.used <= kept)
      for (const { reservation } of bodies) {
        reservation.release()
        reservation.release()
        reservation.receive(5)
        reservation.keep(5)
        reservation.drop(5)
      }
      assert.is(memory.used, 0)
    },
  )

  law(
    test,
    'without response bodies, the sum never exceeds the limit',
    fc.array(fc.tuple(fc.nat({ max: 15 }), fc.integer({ min: 1, max: reservationWindow })), {
      maxLength: 300,
    }),
    (chunks) => {
      const memory = new BodyMemory(20 * reservationWindow)
      const bodies = Array.from({ length: 16 }, (_, index) => {
        const reservation = new MemoryReservation(memory)
        return {
          reservation,
          isOpen: reservation.admit(
            50 * reservationWindow,
            index % 2 === 0 ? 16 * reservationWindow : undefined,
          ),
          received: 0,
        }
      })
      for (const [index, bytes] of chunks) {
        const body = bodies[index]
        if (body?.isOpen !== true) continue
        const size =
          index % 2 === 0 ? Math.min(bytes, 16 * reservationWindow - body.received) : bytes
        body.isOpen = body.reservation.receive(size)
        body.received += size
        if (!body.isOpen) body.reservation.release()
        assert.ok(memory.used <= memory.limit)
        const held = bodies.reduce((sum, { isOpen, received }) => sum + (isOpen ? received : 0), 0)
        assert.ok(held <= memory.used)
      }
    },
  )
})
