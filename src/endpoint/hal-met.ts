/** Whether any HAL was declared in the process: where none was, nothing is looked for. */
export const isAnyHal = (): boolean => isAny

export const metHal = (): void => {
  isAny = true
}

let isAny = false
