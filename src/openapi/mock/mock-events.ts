/** Event streams that continue until the client disconnects. */

/** When events are sent. */
export interface EventSchedule {
  /** Milliseconds between two events. `0` for streams that end after a few events. */
  readonly interval: number
  /** Signals on which a stream ends. */
  readonly signals?: ReadonlyArray<AbortSignal>
}

/** Yields one event immediately, and further events at an interval, until one of the signals is aborted. */
export async function* scheduledEvents(
  eventAt: (index: number) => unknown,
  { interval, signals = [] }: EventSchedule,
): AsyncGenerator<unknown, void, never> {
  const isAborted = (): boolean => signals.some(({ aborted }) => aborted)
  for (let index = 0; !isAborted(); index++) {
    yield eventAt(index)
    await delay(interval, signals)
  }
}

/** Resolves after `time` milliseconds, or as soon as one of the signals is aborted. */
const delay = (time: number, signals: ReadonlyArray<AbortSignal>): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, time)
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some(({ aborted }) => aborted)) end()
  })
