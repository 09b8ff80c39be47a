/** Measures how long a process blocks its event loop, and how much CPU time and memory it uses. */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'

export interface Measurement {
  /** The longest time without a turn of the event loop, in milliseconds of CPU time of the main thread, up to 1 ms too long. */
  readonly hold: number
  /** The CPU time of all threads, in milliseconds. */
  readonly cpu: number
  /** Peak growth of the resident set, in bytes. 0 on platforms that do not report it. */
  readonly memory: number
}

export interface Meter {
  readonly begin: () => void
  readonly end: () => Measurement
}

/** Creates a meter. */
export const meter = (): Meter => {
  let timer: NodeJS.Timeout | undefined
  let hold = 0
  let last = 0
  let before = process.cpuUsage()
  let resident = 0
  const look = (): void => {
    const now = mainThread()
    hold = Math.max(hold, now - last)
    last = mainThread()
    timer = setTimeout(look, 1)
  }
  return {
    begin: () => {
      globalThis.gc?.()
      hold = 0
      resident = resetPeak()
      before = process.cpuUsage()
      last = mainThread()
      timer = setTimeout(look, 1)
    },
    end: () => {
      look()
      clearTimeout(timer)
      const { user, system } = process.cpuUsage(before)
      return { hold, cpu: (user + system) / 1000, memory: Math.max(0, peak() - resident) }
    },
  }
}

/** On Linux, the nanoseconds that a thread has run are the first number in this file. */
const schedule = `/proc/self/task/${process.pid}/schedstat`

const fromSchedule = (): (() => number) => {
  const file = openSync(schedule, 'r')
  process.on('exit', () => closeSync(file))
  const text = Buffer.alloc(64)
  return () =>
    Number(text.toString('latin1', 0, readSync(file, text, 0, 64, 0)).split(' ')[0]) / 1e6
}

/** Elsewhere, the CPU time of all threads. */
const fromUsage = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The CPU time of the main thread in milliseconds. */
const mainThread = existsSync(schedule) ? fromSchedule() : fromUsage

const kilobytes = (name: string): number => {
  if (!existsSync('/proc/self/status')) return 0
  const match = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(
    readFileSync('/proc/self/status', 'utf8'),
  )
  return Number(match?.[1] ?? 0) * 1024
}

const peak = (): number => kilobytes('VmHWM')

/** Resets the peak of the resident set in the kernel, and returns the size of the resident set. */
const resetPeak = (): number => {
  if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5')
  return kilobytes('VmRSS')
}
