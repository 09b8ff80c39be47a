import * as assert from 'uvu/assert'
import { describe, table } from './describe.ts'
import { cycleIn, folderCycleIn } from './import-graph.ts'

describe('import graph', (test) => {
  table<readonly [imports: Readonly<Record<string, string>>, cycle: string | undefined]>(
    test,
    [
      [{ 'a.ts': './b.ts', 'b.ts': '' }, undefined],
      [{ 'a.ts': './a.ts' }, 'a.ts a.ts'],
      [{ 'a.ts': './b.ts', 'b.ts': './a.ts' }, 'a.ts b.ts a.ts'],
      [{ 'a.ts': './b/c.ts', 'b/c.ts': './d.ts', 'b/d.ts': './c.ts' }, 'b/c.ts b/d.ts b/c.ts'],
      [
        { 'a/b.ts': '../c.ts', 'c.ts': './a/d.ts', 'a/d.ts': './b.ts' },
        'a/b.ts c.ts a/d.ts a/b.ts',
      ],
      [{ 'a.ts': './c.ts', 'b.ts': './c.ts', 'c.ts': './d.ts', 'd.ts': '' }, undefined],
    ],
    (imports, cycle) => {
      const sources = Object.entries(imports).map(([path, from]) => ({
        path,
        text: from === '' ? '' : `import type { X } from '${from}'`,
      }))
      assert.is(cycleIn(sources)?.join(' '), cycle)
    },
  )
  table<
    readonly [imports: Readonly<Record<string, ReadonlyArray<string>>>, cycle: string | undefined]
  >(
    test,
    [
      [{ 'a/b/one.ts': ['../c/two.ts', '../three.ts'], 'a/c/two.ts': ['../three.ts'] }, undefined],
      // files of the layer itself, below and above its folders
      [{ 'a/top.ts': ['./b/one.ts'], 'a/b/one.ts': ['../base.ts'], 'a/base.ts': [] }, undefined],
      // folders of a folder belong to it
      [{ 'a/b/one.ts': ['./c/two.ts'], 'a/b/c/two.ts': ['../three.ts'] }, undefined],
      [
        { 'a/b/one.ts': ['../c/two.ts'], 'a/c/three.ts': ['../b/d/four.ts', '../b/five.ts'] },
        'a/b -> a/c: a/b/one.ts imports a/c/two.ts\na/c -> a/b: a/c/three.ts imports a/b/d/four.ts, and 1 more',
      ],
      [
        {
          'a/b/one.ts': ['../two.ts'],
          'a/two.ts': ['./c/three.ts'],
          'a/c/four.ts': ['../b/five.ts'],
        },
        'a/b -> a/two.ts: a/b/one.ts imports a/two.ts\na/two.ts -> a/c: a/two.ts imports a/c/three.ts\na/c -> a/b: a/c/four.ts imports a/b/five.ts',
      ],
    ],
    (imports, cycle) => {
      const sources = Object.entries(imports).map(([path, from]) => ({
        path,
        text: from.map((name) => `import type { X } from '${name}'`).join('\n'),
      }))
      assert.is(folderCycleIn(sources), cycle)
    },
  )
})
