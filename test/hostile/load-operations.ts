/** Operations for load rather than for single requests. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Library } from './library.ts'

/** Milliseconds for which `/work` keeps the event loop busy. */
const workMilliseconds = 1

const work = (): string => {
  const until = performance.now() + workMilliseconds
  while (performance.now() < until);
  return 'done'
}

async function* endless(): AsyncGenerator<{ readonly n: number; readonly text: string }> {
  for (let n = 0; ; n++) yield { n, text: 'x'.repeat(100) }
}

export const loadOperations = ({ t, espalier: e }: Library) => {
  const { get, handle, path, produces } = e
  return {
    work: pipe(path('/work'), get(), produces(e.text), handle(work)),
    ping: pipe(
      path('/ping'),
      get(),
      produces(e.text),
      handle(() => 'pong'),
    ),
    jsonStream: pipe(
      path('/endless'),
      get(),
      produces(e.jsonStream(t.type({ n: t.number, text: t.string }))),
      handle(() => endless()),
    ),
  }
}
