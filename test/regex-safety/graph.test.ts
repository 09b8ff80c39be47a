import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Graph from '../../src/regex-safety/graph.ts'
import { describe, roundTrip, table } from '../support/describe.ts'

const graph =
  (next: ReadonlyArray<ReadonlyArray<number>>): Graph.Graph =>
  (node) =>
    next[node] ?? []

const diamond = graph([[1, 2], [3], [3], [0], [0]])

describe('Graph.reachable', (test) => {
  table(
    test,
    [
      ['only the start without edges', graph([[], [0]]), [0]],
      ['nearest first', diamond, [0, 1, 2, 3]],
      ['a loop', graph([[0]]), [0]],
    ] as const,
    (_, from, nodes) => assert.equal([...Graph.reachable(from, 0).keys()], nodes),
  )
})

describe('Graph.shortestPath', (test) => {
  table(
    test,
    [
      ['the path to the start is the start', 0, [0]],
      ['the shortest path', 3, [0, 1, 3]],
    ] as const,
    (_, to, nodes) => assert.equal(Graph.shortestPath(Graph.reachable(diamond, 0), to), nodes),
  )
})

describe('Graph.reverse', (test) => {
  test('reverses the edges of the given nodes only', () =>
    assert.equal([0, 1, 2, 3, 4].map(Graph.reverse(diamond, [0, 1, 2, 3])), [
      [3],
      [0],
      [0],
      [1, 2],
      [],
    ]))
})

describe('Graph.product', (test) => {
  // 0 reads a, 1 reads b, 2 reads either
  const letters = [0b01n, 0b10n, 0b11n]
  const all = graph([
    [0, 1, 2],
    [0, 1, 2],
    [0, 1, 2],
  ])
  const walked = (...graphs: ReadonlyArray<Graph.Graph>): ReadonlyArray<ReadonlyArray<number>> =>
    Graph.product(letters, graphs)(0).map((node) => Graph.unpack(3, graphs.length, node))
  table(
    test,
    [
      ['one walk can reach all nodes', walked(all), [[0], [1], [2]]],
      [
        'two walks read the same letters',
        walked(all, all),
        [
          [0, 0],
          [0, 2],
          [1, 1],
          [1, 2],
          [2, 0],
          [2, 1],
          [2, 2],
        ],
      ],
      ['three walks need a common letter', walked(graph([[0]]), graph([[1]]), graph([[2]])), []],
      [
        'each walk uses its own graph',
        walked(graph([[2]]), graph([[0, 1]])),
        [
          [2, 0],
          [2, 1],
        ],
      ],
    ] as const,
    (_, actual, expected) => assert.equal(actual, expected),
  )
})

describe('Graph.pack', (test) => {
  roundTrip(
    test,
    fc.array(fc.nat(99), { maxLength: 3 }),
    (nodes) => [nodes.length, Graph.pack(100, nodes)] as const,
    ([count, packed]) => Graph.unpack(100, count, packed),
    (actual, nodes) => assert.equal(actual, nodes),
  )
})
